/** Which settings are other lists, which begin anew, and which companies are others. */
import { settingsOf, type Choices } from '../../nodes/shared/polling/choices';
import type { Service } from '../../nodes/shared/transport/service';
import { choicesWith, company, kind } from './runFixture';

const prints = (more: Partial<Choices> = {}, { address = 'https://a', clientId = 'id', body = {} } = {}) => {
	const service: Service = Object.assign(Object.create(null), { address, clientId });
	const { of, scope } = settingsOf(choicesWith(more), service);
	return { kind: of({ ...kind, body }), scope };
};

test('are others with another service, client, event, date or list', () => {
	const others = [
		prints(),
		prints({}, { address: 'https://b' }),
		prints({}, { clientId: 'other' }),
		prints({ watchesStatus: true }),
		prints({ options: { emitExistingSince: '2026-01-01T00:00:00.000Z' } }),
		prints({}, { body: { enrollmentType: 'Survey' } }),
	];
	expect(new Set(others.map((each) => each.kind)).size).toBe(6);
	expect(new Set(others.map(({ scope }) => scope)).size).toBe(1);
});

test('are the same with other options or other companies', () => {
	const usual = prints();
	expect(prints({ options: { pageSize: 5, lateArrivals: 3 }, statuses: ['x'], alsoFirstSeen: true })).toEqual(usual);
	const one = prints({ scope: { kind: 'one', company } });
	expect(one.kind).toBe(usual.kind);
	const scopes = [
		usual,
		one,
		prints({ scope: { kind: 'own' } }),
		prints({ scope: { kind: 'one', company: { id: 'd', name: 'D' } } }),
	];
	expect(new Set(scopes.map(({ scope }) => scope)).size).toBe(4);
	expect(prints({ scope: { kind: 'one', company: { id: 'c', name: 'Renamed' } } })).toEqual(one);
});
