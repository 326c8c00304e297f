import type { OutputFields } from '../../core/response/outputFields';
import { TARGET_USER_ID_FIELDS } from '../pickers/resourcePickers';

/** The fields that both a person's record and an entry in a list of people have (deployment beyond, "People"). */
const COMMON_PERSON_FIELDS = ['email', 'firstName', 'lastName', 'department', 'priority', 'phoneNumber'];

/** The output fields of an entry in a list of people. */
export const PERSON_LIST_FIELDS: OutputFields = {
	simplified: [...COMMON_PERSON_FIELDS, 'status', 'preferredLanguage', 'createTime', 'resourceId'],
	additional: ['timeZone', 'updateTime', 'isEditable', 'scimSettingName', 'ldapConfigName', 'customFieldValues'],
};

/** The output fields of a person's record. */
export const PERSON_RECORD_FIELDS: OutputFields = {
	simplified: [...COMMON_PERSON_FIELDS, 'isActive', 'timeZoneId', 'preferredLanguageId', 'resourceId'],
	additional: ['customFieldValues', 'managerEmail', 'managerFirstName', 'managerFullName', 'managerLastName'],
	id: TARGET_USER_ID_FIELDS,
};
