/** Sending again, and stopping what is sent by itself (deployment activity, 4). Who gets it is noted at the campaign or the enrollment. */
import { z } from 'zod';
import { check, found, int32, invalid } from '../envelope';
import { acting, beside, changing, type Call, type Route, type Row } from '../http';
import { SIMULATORS, type Simulator } from '../personality';
import { shortId } from '../random';
import { campaignsOf, wasSent } from '../routes/campaigns';
import { peopleOf } from '../routes/campaign-people';
import { created, enrollmentOf } from '../routes/enrollments';
import type { Campaign, Enrollment } from '../seed';

const ids = z.array(z.string());
/** Told that it is for everybody, the service takes the filter; that nobody was chosen is its own affair. */
const chosen = z.object({
	selectAll: z.boolean().nullish(),
	excludedItems: ids.nullish(),
	filter: z.record(z.unknown()).optional(),
});

/** Adds to what was sent again of a thing. */
function resent({ world }: Call, resourceId: string, what: Row): string {
	const { resent: before } = world.notesOn(resourceId);
	world.note(resourceId, { resent: [...(Array.isArray(before) ? before : []), what] });
	return resourceId;
}

/** The job that the path names, of a campaign that is not over. */
function jobOf(call: Call, simulator: Simulator): { campaign: Campaign; group: number } {
	const campaign = found(
		campaignsOf(call, simulator).find((each) => each.resourceId === call.params.resourceId && wasSent(each)),
		`${simulator} campaign job`,
	);
	const group = found(
		campaign.instanceGroups.find((each) => String(each) === call.params.instanceGroup),
		`${simulator} campaign job`,
	);
	if (campaign.status !== 'Running') throw invalid('The campaign is completed, so it cannot be sent again.');
	return { campaign, group };
}

const states = z.object({ types: z.array(z.union([int32, z.string()])).min(1) }).passthrough();

function resendStates(call: Call, simulator: Simulator): string {
	const { campaign } = jobOf(call, simulator);
	return resent(call, campaign.resourceId, { types: check(states, call.json).types });
}

const listBody = chosen.extend({ items: ids, searchType: z.string().nullish() }).passthrough();

function resendList(call: Call, simulator: Simulator): string {
	const { campaign, group } = jobOf(call, simulator);
	const { items, selectAll } = check(listBody, call.json);
	const known = peopleOf(call.world, campaign, group).map(({ resourceId }) => resourceId);
	const stranger = items.find((id) => !known.includes(id));
	if (stranger !== undefined) throw invalid(`The Items field has an unknown user: ${stranger}.`);
	return resent(call, campaign.resourceId, { items: selectAll === true ? known : items });
}

/** An enrollment that was sent and is not stopped. */
function underWay(call: Call): Enrollment {
	const enrollment = enrollmentOf(call, call.params.enrollmentId);
	if (enrollment.sendCount === 0 || enrollment.status === 'Stopped')
		throw invalid('The enrollment is not in progress, so it cannot be sent again.');
	return enrollment;
}

const types = z.object({ resendTypes: z.array(int32).min(1) }).passthrough();

function resendTypes(call: Call): Row {
	const { resendTypes: asked } = check(types, call.json);
	return { resourceId: resent(call, underWay(call).resourceId, { types: asked }) };
}

/** The lists about an enrollment, with the word that is in the IDs of their rows. */
const TABS: Record<string, string> = { users: 'report', 'sending-report': 'mail' };

const tabBody = chosen.extend({ selectedItems: ids }).passthrough();

function resendTab(call: Call): Row {
	const { resourceId, targetGroupResourceIds } = underWay(call);
	const { selectedItems, selectAll } = check(tabBody, call.json);
	const word = TABS[call.params.tab ?? ''];
	if (word === undefined) throw invalid('The Tab field is not valid.');
	const members = call.home.members(targetGroupResourceIds);
	const known = members.map((user) => shortId(`${word} ${resourceId} ${user.resourceId}`));
	const stranger = selectedItems.find((id) => !known.includes(id));
	if (stranger !== undefined) throw invalid(`The SelectedItems field has an unknown row: ${stranger}.`);
	return { resourceId: resent(call, resourceId, { items: selectAll === true ? known : selectedItems }) };
}

const certificates = z.array(z.object({ targetUserResourceId: z.string(), enrollmentId: z.string() })).min(1);

function resendCertificates(call: Call): Row {
	for (const { targetUserResourceId: id, enrollmentId } of check(certificates, call.json)) {
		const { resourceId, targetGroupResourceIds } = enrollmentOf(call, enrollmentId);
		const members = call.home.members(targetGroupResourceIds);
		if (!members.some((user) => user.resourceId === id)) throw invalid(`The user is unknown: ${id}.`);
		resent(call, resourceId, { certificate: id });
	}
	return {};
}

/** Stops something of an enrollment for ever. */
const stopping = (word: string, field: 'hasReminder' | 'autoEnroll'): Route =>
	changing(
		`POST /api/enrollments/{resourceId}/${word}`,
		(call) => created(Object.assign(enrollmentOf(call, call.params.resourceId), { [field]: false }), call),
		{ takes: 'nothing' },
	);

function simulatorRoutes(simulator: Simulator): Route[] {
	const job = `POST /api/${simulator}-simulator/${simulator}-campaign-job/resend`;
	const one = '{resourceId}/{instanceGroup}';
	return [
		{ ...acting(`${job}/${one}`, (call) => resendStates(call, simulator)), takes: 'json' },
		{ ...acting(`${job}/list/${one}`, (call) => resendList(call, simulator)), takes: 'json' },
	];
}

export function resendRoutes(): Route[] {
	const report = 'POST /api/training-reports/{enrollmentId}';
	return [
		...SIMULATORS.flatMap(simulatorRoutes),
		changing(`${report}/resend`, resendTypes),
		changing(`${report}/{tab}/resend`, resendTab),
		changing('POST /api/enrollments/resend-certificate', resendCertificates),
		stopping('stop-reminder', 'hasReminder'),
		stopping('stop-autoenroll', 'autoEnroll'),
	].map(beside);
}
