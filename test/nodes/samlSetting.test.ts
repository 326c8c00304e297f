/** Tests the metadata from which a SAML setting is created: its encodings and forms, and files that contain no metadata. */
import type { IDataObject } from 'n8n-workflow';
import { hashSha256 } from '../cases/case';
import { runCase } from '../cases/operationFixture';
import { requireValue } from '../n8n-core/nodeFixture';
import { createDeployedFixture, findCase, getFailureMessage } from './deployedFixture';

const { fixture } = createDeployedFixture();

const METADATA = '<EntityDescriptor entityID="https://idp.example/ü"></EntityDescriptor>';

/**
 * Creates a SAML setting from a file.
 * @returns the file that the platform received
 */
async function createFromFile(content: Buffer, parameters: IDataObject = {}) {
	const prepared = await findCase('SamlSetting', 'create').prepare(fixture.customer);
	fixture.standIn.clearLog();
	await runCase(
		fixture,
		{ node: 'SamlSetting', operation: 'create' },
		{
			parameters: { ...prepared.parameters, ...parameters },
			inputFiles: { metadata: { fileName: 'metadata.xml', mimeType: 'application/xml', content } },
		},
	);
	return requireValue(fixture.customer.companyData.samlSettings.at(-1)).file;
}

test.each([
	['UTF-8', Buffer.from(METADATA)],
	['UTF-8 with a BOM', Buffer.from(`\ufeff${METADATA}`)],
	['UTF-16', Buffer.from(`\ufeff${METADATA}`, 'utf16le')],
	['big-endian UTF-16', Buffer.from(`\ufeff${METADATA}`, 'utf16le').swap16()],
	['a namespace prefix', Buffer.from(`<?xml version="1.0"?>\n<md:EntityDescriptor/>`)],
	['several identity providers', Buffer.from('<md:EntitiesDescriptor>\n</md:EntitiesDescriptor>')],
])('a metadata file in %s is sent unchanged', async (_form, content) => {
	const { sha256 } = await createFromFile(content);
	expect(sha256).toBe(hashSha256(content));
});

const PAGE = '<!DOCTYPE html><html><title>Sign in</title></html>';
test.each([
	['a file with a sign-in page', { metadataFrom: 'file' }, 'Input Data Field Name'],
	['pasted text of a sign-in page', { metadataFrom: 'text', metadataXml: PAGE }, 'Metadata XML'],
	['pasted text that is no XML', { metadataFrom: 'text', metadataXml: 'EntityDescriptor' }, 'Metadata XML'],
	['pasted text without its beginning', { metadataFrom: 'text', metadataXml: `ID="1">${METADATA}` }, 'Metadata XML'],
])('%s is refused, and nothing is sent', async (_form, parameters, label) => {
	const message = await getFailureMessage(createFromFile(Buffer.from(PAGE), parameters));
	expect(message).toContain(`'${label}' is not the metadata XML of an identity provider`);
	expect(message).toContain('which contains an EntityDescriptor');
	expect(fixture.requests).toEqual([]);
});
