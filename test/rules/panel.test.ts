/** n8n's panel finds each node by what people call their work. Its own search, over the entries that it makes of the nodes. */
import { readFileSync } from 'node:fs';
import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import { z } from 'zod';
import { loadAllOperations } from '../contract/catalogue';
import { manifest, loadNode, toSourcePath } from '../n8n-core/package';

/** What an MSP types, by the node that must be among the first three. */
const TYPED: Record<string, string[]> = {
	Account: ['audit log'],
	ApiClient: ['api key for customer', 'create api credentials'],
	Company: [
		'list all customers',
		'new client',
		'onboarding',
		'tenant',
		'monthly active users',
		'billing report',
		'license expires',
		'license renewal',
		'expiring licenses',
		'seats used',
	],
	CompanyGroup: ['group customers'],
	DirectEmailSetting: ['whitelist mail delivery'],
	Enrollment: ['send training', 'assign course', 'remind people to finish training', 'training deadline'],
	ExecutiveReport: ['monthly report for client', 'email report to client', 'risk score', 'board report'],
	Leaderboard: ['points ranking'],
	PhishingCampaign: [
		'who failed the phishing test',
		'repeat clickers',
		'who clicked on the link',
		'who clicked',
		'phishing results last month',
		'start phishing simulation',
		'phishing failure rate',
	],
	QuishingCampaign: ['qr code phishing', 'who scanned'],
	ReportedEmail: ['suspicious email', 'phishing inbox', 'reported phishing emails'],
	SamlSetting: ['single sign on', 'sso setup'],
	ScimIntegration: ['azure ad sync', 'okta provisioning'],
	SmishingCampaign: ['text message phishing', 'sms phishing'],
	SystemUser: ['add admin'],
	TargetGroup: ['add user to group'],
	TargetUser: [
		'new hire',
		'onboarding',
		'add new employee',
		'import users from csv',
		'count users',
		'remove leaver',
		'deactivate',
		'delete user',
		'employee left',
		'offboard employee',
	],
	Training: ['training library'],
	TrainingReport: [
		'who completed training',
		'overdue training',
		'training certificate',
		'quiz score',
		'training status',
		'export training report',
		'compliance',
	],
};

const folderOf = (listed: string) => listed.split('/')[2] ?? '';
const codex = z.object({ alias: z.array(z.string()) });

/** The panel's entries: a trigger goes into the entry of its namesake, which keeps its words and takes the trigger's text. */
async function entriesOf(listed: readonly string[]) {
	const folders = new Set(listed.map(folderOf));
	const entries = listed.filter((each) => !folders.has(folderOf(each).replace('Trigger', '')) || !/Trigger/.test(each));
	return await Promise.all(
		entries.map(async (each) => {
			const { description } = await loadNode(each);
			const trigger = listed.find((other) => folderOf(other) === `${folderOf(each)}Trigger`);
			const text = trigger ? (await loadNode(trigger)).description.description : description.description;
			const { alias } = codex.parse(JSON.parse(readFileSync(toSourcePath(each).replace(/\.ts$/, '.json'), 'utf8')));
			return { folder: folderOf(each), properties: { displayName: description.displayName, text, codex: { alias } } };
		}),
	);
}

test('people find each node by their own words', async () => {
	const entries = await entriesOf(manifest.n8n.nodes);
	const first = (words: string) =>
		sublimeSearch(words, entries)
			.slice(0, 3)
			.map(({ item }) => item.folder);
	const typed = Object.entries(TYPED).flatMap(([node, all]) => all.map((words) => ({ node, words })));
	expect(typed.filter(({ node, words }) => !first(words).includes(node))).toEqual([]);
	expect(typed.length).toBeGreaterThan(50);
	// Administrators are not those who are meant.
	expect(first('delete user')[0]).toBe('TargetUser');
});

test('an entry says what its node does, also where n8n shows the text of its trigger', async () => {
	const entries = await entriesOf(manifest.n8n.nodes);
	const textOf = (folder: string) => entries.find((each) => each.folder === folder)?.properties.text;
	expect(textOf('Enrollment')).toMatch(/^Enroll people in trainings/);
	expect(textOf('ReportedEmail')).toMatch(/^List, read and export the suspicious mails/);
	const lacking = (await loadAllOperations()).filter(({ operation }) => operation.isOptional).map(({ node }) => node);
	expect(
		lacking.filter((folder) => !/; not every platform has (it|all of it)(;|$)/.test(textOf(folder) ?? '')),
	).toEqual([]);
});
