import { z } from 'zod';
import { check, found, int32, Refusal, text } from '../envelope';
import { ok, type Call, type Route } from '../http';
import type { EmailSetting } from '../holdings';

const provider = int32.superRefine((value, context) => {
	if (value !== 1 && value !== 2)
		context.addIssue({
			code: 'custom',
			message: 'The Type field is not valid: 1 is Microsoft 365, 2 is Google Workspace.',
		});
});

const creation = z
	.object({ name: text(64), tenantId: text(200), allowedDomains: z.array(text(255)).min(1), type: provider })
	.passthrough();

/** The request for a test mail (contract 4.6). */
export const testMailFields = z
	.object({
		resourceId: text(100),
		from: text(320),
		fromName: text(200),
		to: text(320),
		message: text(10_000),
		tenantId: text(200),
		type: int32,
	})
	.passthrough();

const testMail = testMailFields.extend({ type: provider });

/** A setting in sight. */
export function emailSettingOf(call: Call, id: string | undefined): EmailSetting {
	const settings = call.companies.flatMap((company) => call.world.of(company).emailSettings);
	return found(
		settings.find((entry) => entry.resourceId === id),
		'direct email setting',
	);
}

/** Contract 4.6. */
export function directEmailRoutes(): Route[] {
	const write = { access: 'any', write: true } as const;
	return [
		{
			...write,
			key: 'POST /api/companies/direct-email-settings',
			takes: 'json',
			handle(call) {
				const { name, tenantId, allowedDomains, type } = check(creation, call.json);
				if (call.home.emailSettings.some((entry) => entry.name.toLowerCase() === name.toLowerCase())) {
					throw new Refusal(409, [`A direct email setting with the name '${name}' exists already.`]);
				}
				const resourceId = call.world.newId('direct email setting');
				const companyResourceId = call.home.company.companyResourceId;
				call.home.emailSettings.push({
					resourceId,
					companyResourceId,
					name,
					tenantId,
					allowedDomains,
					type,
					isDefault: false,
					testsSent: 0,
				});
				return ok({ resourceId });
			},
		},
		{
			...write,
			key: 'POST /api/companies/direct-email-settings/test',
			takes: 'json',
			handle(call) {
				const asked = check(testMail, call.json);
				emailSettingOf(call, asked.resourceId).testsSent++;
				return ok({ isSent: true, to: asked.to });
			},
		},
		{
			...write,
			key: 'PUT /api/companies/direct-email-settings/make-default/{resourceId}',
			takes: 'nothing',
			handle(call) {
				const setting = emailSettingOf(call, call.params.resourceId);
				const owner = call.world.company(setting.companyResourceId) ?? call.world.reseller;
				for (const other of call.world.of(owner).emailSettings) other.isDefault = other === setting;
				return ok({ resourceId: setting.resourceId });
			},
		},
	];
}
