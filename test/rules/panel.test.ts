/** Checks that n8n's node panel finds each node by the words that users type. The test runs n8n's own search over the panel's entries. */
import { readFileSync } from 'node:fs';
import { sublimeSearch } from '@n8n/utils/search/sublime-search';
import { z } from 'zod';
import { manifest, loadNode, toSourcePath } from '../n8n-core/package';

/** The searches by which a managed service provider may look for each node. The node must be among the first three results. */
const SEARCHES_BY_NODE: Record<string, string[]> = {
	Account: ['audit log'],
	AllowedDomain: ['allowlist', 'allowlist domain', 'verify domain', 'txt record', 'whitelist domain', 'email domain'],
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
	GoogleOAuth: ['google workspace', 'connect google'],
	Leaderboard: ['points ranking'],
	HumanRisk: ['human risk', 'risk score', 'never trained', 'risky users', 'coverage', 'repeat offenders'],
	PersonEventTrigger: ['when a user clicks', 'training completed', 'user event'],
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
	Role: ['list roles', 'admin permissions'],
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

const getNodeFolder = (nodePath: string) => nodePath.split('/')[2] ?? '';
const codexSchema = z.object({ alias: z.array(z.string()) });

/**
 * Creates the panel's entries. A node and its trigger (Enrollment and EnrollmentTrigger) share one entry, which has the aliases of the node
 * and the description of the trigger.
 */
async function createPanelEntries(nodePaths: readonly string[]) {
	const folders = new Set(nodePaths.map(getNodeFolder));
	const hasOwnEntry = (nodePath: string) =>
		!nodePath.includes('Trigger') || !folders.has(getNodeFolder(nodePath).replace('Trigger', ''));
	return await Promise.all(
		nodePaths.filter(hasOwnEntry).map(async (nodePath) => {
			const folder = getNodeFolder(nodePath);
			const { description } = await loadNode(nodePath);
			const triggerPath = nodePaths.find((path) => getNodeFolder(path) === `${folder}Trigger`);
			const { description: shownDescription } = triggerPath ? await loadNode(triggerPath) : { description };
			const codexFile = toSourcePath(nodePath).replace(/\.ts$/, '.json');
			const { alias } = codexSchema.parse(JSON.parse(readFileSync(codexFile, 'utf8')));
			const text = shownDescription.description;
			return { folder, properties: { displayName: description.displayName, text, codex: { alias } } };
		}),
	);
}

test('people find each node by their own words', async () => {
	const entries = await createPanelEntries(manifest.n8n.nodes);
	const searchFirstThree = (words: string) =>
		sublimeSearch(words, entries)
			.slice(0, 3)
			.map(({ item }) => item.folder);
	const searches = Object.entries(SEARCHES_BY_NODE).flatMap(([node, allWords]) =>
		allWords.map((words) => ({ node, words })),
	);
	expect(searches.filter(({ node, words }) => !searchFirstThree(words).includes(node))).toEqual([]);
	expect(searches.length).toBeGreaterThan(50);
	// A domain is added to the platform's allow list. A direct email setting needs no such list.
	expect(searchFirstThree('allowlist')).toEqual(['AllowedDomain']);
	// 'User' in this search means a target user, not an administrator.
	expect(searchFirstThree('delete user')[0]).toBe('TargetUser');
});

test('an entry describes what its node does, even if n8n shows the description of its trigger', async () => {
	const entries = await createPanelEntries(manifest.n8n.nodes);
	const getEntryText = (folder: string) => entries.find((entry) => entry.folder === folder)?.properties.text;
	expect(getEntryText('Enrollment')).toMatch(/^Enroll people in trainings/);
	expect(getEntryText('ReportedEmail')).toMatch(/^List, read and export suspicious emails/);
});
