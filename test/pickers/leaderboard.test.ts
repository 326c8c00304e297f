/** The values that a leaderboard can be narrowed to, nested as deployments nest them (deployment shapes: form-details). */
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { callLoadOptions } from '../n8n-core';
import { closeOdd } from '../n8n-core/nodeFixture';
import { deployment } from '../stand-in/deployment';

afterEach(closeOdd);

test('only what has a value can be chosen, and what is nested in something without one is under its name', async () => {
	const gamificationActionTypes = [
		{ text: 'Phishing', extraDatas: [{ text: 'Clicked', value: 'phishing-clicked' }] },
		{ text: 'Vishing', value: null, extraDatas: [{ text: 'Answered', value: 7 }] },
		{ text: 'Training', value: '', extraDatas: null },
		{ text: 'Reading' },
		{ value: 'no-text', extraDatas: [] },
		{ text: 'Reported', value: 'reported', extraDatas: [{ text: 'In time', value: 'in-time' }] },
	];
	const { store } = await deployment({ 'GET /api/leaderboard/form-details': { data: { gamificationActionTypes } } });
	const call = { node: new SecurityAwarenessLeaderboard(), method: 'loadActionTypes', credential: store };
	const entries = await callLoadOptions({ ...call, parameters: { companyScope: 'own' } });
	const shown = entries.map(({ name, value }) => [value, name]);
	expect(shown.sort()).toEqual([
		['7', 'Vishing: Answered'],
		['in-time', 'Reported: In time'],
		['no-text', 'no-text'],
		['phishing-clicked', 'Phishing: Clicked'],
		['reported', 'Reported'],
	]);
});
