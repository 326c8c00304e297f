import { omit, omitBy, pick } from 'lodash';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { getEndpoint } from '../api/endpoint';
import { InvalidInputError } from './errors';
import { getFileContent, type ApiRequest, type FileUpload, type MultipartFields } from './request';
import { parsePathSegment } from './resourceId';

/** The settings with which a request is sent. */
export interface HttpSettings {
	baseUrl: string;
	/** The name of the header with the company's ID. */
	companyHeaderName: string;
	/** The longest time to wait for a response, in ms. */
	timeoutMs: number;
	responseType: 'json' | 'file';
	signal: AbortSignal;
}

/**
 * The header in which requests about enrollments repeat the company's ID (deployment behaviour, "Trainings, groups,
 * enrollments").
 */
const ENROLLMENT_COMPANY_HEADER = 'x-ir-company-id';

/** The fields of a body that some endpoints expect in a nested object. */
const PAGINATION_FIELDS = ['pageNumber', 'pageSize', 'orderBy', 'ascending'];

/** Checks a request before it is sent. @throws InvalidInputError for an ID that can't be sent */
export function checkRequest(request: ApiRequest, settings: HttpSettings): void {
	buildUrl(request, settings);
	buildHeaders(request, settings);
}

/**
 * Builds the options for n8n's HTTP helper. Each try needs new options, because the helper changes them, and because a
 * multipart body can be sent only once.
 * @throws InvalidInputError for an ID that can't be sent
 */
export function buildHttpOptions(request: ApiRequest, settings: HttpSettings): IHttpRequestOptions {
	const options: IHttpRequestOptions = {
		method: getEndpoint(request.endpoint).method,
		url: buildUrl(request, settings),
		headers: buildHeaders(request, settings),
		qs: request.query,
		body: buildBody(request),
		timeout: settings.timeoutMs,
		abortSignal: settings.signal,
		returnFullResponse: true,
		// n8n must not throw an error for a status, because before n8n 2.41 this error lacks the response's headers and body (n8n 12).
		ignoreHttpStatusErrors: true,
		// If n8n followed a redirect, it would repeat a write. It would also send the token, the other headers and, after a
		// 307, the body to a server that must not get them (n8n 3).
		disableFollowRedirect: true,
	};
	if (settings.responseType === 'file') options.encoding = 'stream';
	else options.json = true;
	return options;
}

/**
 * Builds the URL: the base URL, and the endpoint's path with values instead of the placeholders.
 * @throws InvalidInputError with the name of the placeholder whose value is wrong
 */
function buildUrl(request: ApiRequest, settings: HttpSettings): string {
	const { path } = getEndpoint(request.endpoint);
	return settings.baseUrl + path.replace(/\{(\w+)\}/g, (_match, name: string) => encodePathValue(request, name));
}

function encodePathValue({ path }: ApiRequest, name: string): string {
	try {
		return encodeURIComponent(parsePathSegment(path?.[name]));
	} catch (error) {
		throw error instanceof InvalidInputError ? error.prependPath(name) : new InvalidInputError('is not text', [name]);
	}
}

/** Builds all headers. @throws InvalidInputError for a company ID that a header can't contain */
function buildHeaders(request: ApiRequest, settings: HttpSettings): Record<string, string> {
	const headers = buildCompanyHeaders(request, settings.companyHeaderName);
	if (request.body) headers['Content-Type'] = 'application/json';
	if (settings.responseType === 'file') {
		// Without compression, Content-Length is the length of the file itself.
		headers['Accept-Encoding'] = 'identity';
		headers.Accept = '*/*';
	}
	return headers;
}

/**
 * Builds the headers that name the company to act for (contract 4.1).
 * @throws InvalidInputError for an ID that isn't ASCII. Node rejects most other characters in a header, and sends the rest
 * as Latin-1.
 */
function buildCompanyHeaders({ company, endpoint }: ApiRequest, headerName: string): Record<string, string> {
	if (!company) return {};
	if (!/^[\x20-\x7e]+$/.test(company.id))
		throw new InvalidInputError(
			'must contain only ASCII characters, such as letters without accents, digits and hyphens',
			['Company'],
			"Select the company 'From List', enter its name 'By Name', or enter its ID 'By ID', exactly as the platform shows it.",
		);
	const headers = { [headerName]: company.id };
	if (getEndpoint(endpoint).needsBothCompanyHeaders) headers[ENROLLMENT_COMPANY_HEADER] = company.id;
	return headers;
}

function buildBody({ endpoint, body, additionalFields = {}, multipart }: ApiRequest): IHttpRequestOptions['body'] {
	const { bodyField, paginationField } = getEndpoint(endpoint);
	if (multipart) return buildFormData(multipart);
	if (!body) return undefined;
	if (bodyField !== undefined) return body[bodyField];
	const addedNames = new Set(Object.keys(additionalFields).map((name) => name.toLowerCase()));
	const ownFields = omitBy(body, (_value, name) => addedNames.has(name.toLowerCase()));
	if (paginationField === undefined) return { ...ownFields, ...additionalFields };
	// The leaderboard expects the page and the order in a nested object (deployment facts, "Requests").
	return {
		...omit(ownFields, PAGINATION_FIELDS),
		[paginationField]: pick(body, PAGINATION_FIELDS),
		...additionalFields,
	};
}

function buildFormData(fields: MultipartFields): FormData {
	const formData = new FormData();
	for (const [name, value] of Object.entries(fields)) {
		if (value === undefined) continue;
		if (Array.isArray(value)) for (const entry of value) formData.append(name, entry);
		else if (typeof value === 'object') formData.append(name, createBlob(value), value.fileName);
		else formData.append(name, String(value));
	}
	return formData;
}

function createBlob(upload: FileUpload): Blob {
	return new Blob([new Uint8Array(getFileContent(upload))], { type: upload.mimeType });
}
