/** Live deployments want the customer named twice in requests about enrollments (deployment behaviour). */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessTraining } from '../../nodes/Training/SecurityAwarenessTraining.node';
import { nodeFixture, failureOf, the } from '../n8n-core/nodeFixture';

const b = nodeFixture({ companies: 40 });
const company = () => the(b.service.state.companies[3]).companyResourceId;
const one = () => ({ companyScope: 'one', company: { mode: 'id', value: company() } });
const headersOf = (name: string) => b.asked.map(({ headers }) => headers[name]);

test('every scoped request about enrollments has it, beside the first one', async () => {
	await b.run(SecurityAwarenessEnrollment, { operation: 'getMany', ...one() });
	const { resourceId } = the(b.service.state.of(company()).enrollments[0]);
	await b.run(SecurityAwarenessEnrollment, {
		operation: 'get',
		...one(),
		enrollment: { mode: 'id', value: resourceId },
	});
	expect(b.asked).toHaveLength(2);
	for (const name of ['x-service-company-id', 'x-ir-company-id'])
		expect(headersOf(name)).toEqual([company(), company()]);
});

test('no other request has it, and none without a customer', async () => {
	await b.run(SecurityAwarenessTraining, { operation: 'getMany', ...one() });
	await b.run(SecurityAwarenessEnrollment, { operation: 'getMany', companyScope: 'own' });
	expect(b.asked.length).toBeGreaterThan(1);
	expect(headersOf('x-ir-company-id').filter(Boolean)).toEqual([]);
});

test('its name is a setting of the credential', async () => {
	const store = b.newStore('reseller', { moreSettings: true, enrollmentHeaderName: ' X-Brand-Company ' });
	await b.run(SecurityAwarenessEnrollment, { operation: 'getMany', ...one() }, { store });
	expect(headersOf('x-brand-company')).toEqual([company()]);
	expect(headersOf('x-ir-company-id')).toEqual([undefined]);
});

test.each(['a b', 'Authorization', 'x\ny'])(
	'a name that is none (%j) is refused before anything is asked',
	async (enrollmentHeaderName: string) => {
		const parameters: IDataObject = { operation: 'getMany', ...one() };
		const error = await failureOf(
			b.run(SecurityAwarenessEnrollment, parameters, {
				store: b.newStore('reseller', { moreSettings: true, enrollmentHeaderName }),
			}),
		);
		expect(error.message).toMatch(/^'Enrollment Header Name' must /);
		expect(b.service.log).toEqual([]);
	},
);
