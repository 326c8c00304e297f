/** What can be done to an enrollment that is there (deployment beyond). */
import { z } from 'zod';
import { check, missing } from '../envelope';
import { acting, beside, isRow, ok, type Call, type Route } from '../http';
import { created, enrollmentOf } from '../routes/enrollments';
import type { Enrollment } from '../seed';

const changeBody = z
	.object({
		name: z.string().min(1),
		markedAsTest: z.boolean().nullish(),
		enrollmentScheduler: z.record(z.unknown()).nullish(),
		distributionDays: z.number().int().nullish(),
	})
	.passthrough();

/** The record becomes what was sent: what is left out is empty afterwards. */
function change(call: Call): Enrollment {
	const enrollment = enrollmentOf(call, call.params.resourceId);
	const { name, markedAsTest, enrollmentScheduler, distributionDays } = check(changeBody, call.json);
	const dueDate = isRow(enrollmentScheduler) ? enrollmentScheduler.dueDate : null;
	enrollment.name = name;
	enrollment.markedAsTest = markedAsTest ?? false;
	enrollment.dueDate = typeof dueDate === 'string' ? dueDate : null;
	enrollment.asked = {
		...enrollment.asked,
		enrollmentScheduler: enrollmentScheduler ?? {},
		distributionDays: distributionDays ?? 0,
	};
	return enrollment;
}

function remove(call: Call): string {
	const { resourceId, companyResourceId } = enrollmentOf(call, call.params.resourceId);
	const { enrollments, archive } = call.world.of(call.world.company(companyResourceId) ?? call.world.reseller);
	archive.push(
		...enrollments.splice(
			enrollments.findIndex((each) => each.resourceId === resourceId),
			1,
		),
	);
	return resourceId;
}

/** Takes what the path names out of the trash. */
function outOfTrash({ home: { archive }, params }: Call): Enrollment[] {
	const at = archive.findIndex(({ resourceId }) => resourceId === params.resourceId);
	if (at < 0) throw missing('enrollment');
	return archive.splice(at, 1);
}

function restore(call: Call): string {
	call.home.enrollments.push(...outOfTrash(call));
	return call.params.resourceId ?? '';
}

function removeForGood(call: Call): string {
	outOfTrash(call);
	return call.params.resourceId ?? '';
}

function stop(call: Call): string {
	const enrollment = enrollmentOf(call, call.params.resourceId);
	enrollment.status = 'Stopped';
	return enrollment.resourceId;
}

export function enrollmentChangeRoutes(): Route[] {
	const path = '/api/enrollments';
	return [
		{
			...acting(`PUT ${path}/{resourceId}`, () => ''),
			takes: 'json' as const,
			handle: (call: Call) => ok(created(change(call), call)),
		},
		acting(`DELETE ${path}/{resourceId}`, remove),
		acting(`POST ${path}/archive/{resourceId}/restore`, restore),
		acting(`DELETE ${path}/archive/{resourceId}`, removeForGood),
		acting(`POST ${path}/{resourceId}/stop`, stop),
	].map(beside);
}
