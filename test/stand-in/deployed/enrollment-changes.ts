/** Routes that change, stop, delete and restore enrollments (deployment beyond, "Enrollments"). */
import { z } from 'zod';
import { parseWithSchema, createNotFoundError } from '../envelope';
import { defineActionRoute, markOutsideContract, isJsonObject, okResponse, type RouteCall, type Route } from '../http';
import { buildCreatedEnrollment, findEnrollment } from '../routes/enrollments';
import type { Enrollment } from '../seed';

const updateSchema = z
	.object({
		name: z.string().min(1),
		markedAsTest: z.boolean().nullish(),
		enrollmentScheduler: z.record(z.unknown()).nullish(),
		distributionDays: z.number().int().nullish(),
	})
	.passthrough();

/** Replaces the record with the request body. Fields that the body omits become empty. */
function updateEnrollment(call: RouteCall): Enrollment {
	const enrollment = findEnrollment(call, call.params.resourceId);
	const { name, markedAsTest, enrollmentScheduler, distributionDays } = parseWithSchema(updateSchema, call.json);
	const dueDate = isJsonObject(enrollmentScheduler) ? enrollmentScheduler.dueDate : null;
	enrollment.name = name;
	enrollment.markedAsTest = markedAsTest ?? false;
	enrollment.dueDate = typeof dueDate === 'string' ? dueDate : null;
	enrollment.requestBody = {
		...enrollment.requestBody,
		enrollmentScheduler: enrollmentScheduler ?? {},
		distributionDays: distributionDays ?? 0,
	};
	return enrollment;
}

function moveToTrash(call: RouteCall): string {
	const { resourceId, companyResourceId } = findEnrollment(call, call.params.resourceId);
	const { enrollments, deletedEnrollments } = call.world.getCompanyData(
		call.world.findCompany(companyResourceId) ?? call.world.resellerCompany,
	);
	deletedEnrollments.push(
		...enrollments.splice(
			enrollments.findIndex((entry) => entry.resourceId === resourceId),
			1,
		),
	);
	return resourceId;
}

/**
 * Removes the enrollment whose ID is in the path from the trash, and returns it in a list.
 * @throws HttpError 404
 */
function takeFromTrash({ companyData: { deletedEnrollments }, params }: RouteCall): Enrollment[] {
	const index = deletedEnrollments.findIndex(({ resourceId }) => resourceId === params.resourceId);
	if (index < 0) throw createNotFoundError('enrollment');
	return deletedEnrollments.splice(index, 1);
}

function restoreFromTrash(call: RouteCall): string {
	call.companyData.enrollments.push(...takeFromTrash(call));
	return call.params.resourceId ?? '';
}

function deletePermanently(call: RouteCall): string {
	takeFromTrash(call);
	return call.params.resourceId ?? '';
}

function stopEnrollment(call: RouteCall): string {
	const enrollment = findEnrollment(call, call.params.resourceId);
	enrollment.status = 'Stopped';
	return enrollment.resourceId;
}

/** Creates the routes that change existing enrollments. */
export function enrollmentChangeRoutes(): Route[] {
	const path = '/api/enrollments';
	return [
		{
			...defineActionRoute(`PUT ${path}/{resourceId}`, () => ''),
			bodyType: 'json' as const,
			handle: (call: RouteCall) => okResponse(buildCreatedEnrollment(updateEnrollment(call), call)),
		},
		defineActionRoute(`DELETE ${path}/{resourceId}`, moveToTrash),
		defineActionRoute(`POST ${path}/archive/{resourceId}/restore`, restoreFromTrash),
		defineActionRoute(`DELETE ${path}/archive/{resourceId}`, deletePermanently),
		defineActionRoute(`POST ${path}/{resourceId}/stop`, stopEnrollment),
	].map(markOutsideContract);
}
