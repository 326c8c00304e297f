import { join } from 'node:path';
import { checkActions, runCustomApiCall, insertActions } from './actions';
import type { Step } from './step';
import { createCredential } from './credential';
import { listCustomFields, enrollWithoutDueDate, readLastJob, createCompanyWithoutLists, listPeopleWhoClicked } from './filled';
import { listTargetGroups } from './lists';
import { useDarkTheme, createEnrollment, pickByScrolling, pickBySearch } from './forms';
import { downloadFile, showRefusal, readTable, buildTextByDragging } from './outputs';
import { addAgentTool, searchByCommonWords, checkInstalled, searchNodePanel, testTriggers } from './panel';
import { filterAndSort, refuseInvalidDate } from './rows';

/** The newcomer's hour, in its order. */
export const STEPS: Record<string, Step> = {
	'the package is there': checkInstalled,
	'a credential: wrong, wrong, right': createCredential,
	'Company by the word "tenant"': searchNodePanel,
	'found by what people call their work': searchByCommonWords,
	'every action listed': checkActions,
	'actions taken into a workflow': insertActions,
	'a customer by search': pickBySearch,
	'a customer on page 3': pickByScrolling,
	'table and schema': readTable,
	'filters in rows, one sort': filterAndSort,
	'no wrong rows without a word': refuseInvalidDate,
	'the last job': readLastJob,
	'an enrollment without a due date': enrollWithoutDueDate,
	'a company without lists': createCompanyWithoutLists,
	'custom fields': listCustomFields,
	'who clicked, everywhere': listPeopleWhoClicked,
	'an enrollment with the date picker': createEnrollment,
	'a list before its company is chosen': listTargetGroups,
	'a text by dragging': buildTextByDragging,
	'a file downloaded': downloadFile,
	'both triggers, test event': testTriggers,
	"an AI Agent's tools": addAgentTool,
	'a refusal explained': showRefusal,
	'dark theme': useDarkTheme,
	'Custom API Call': runCustomApiCall,
};

/** Where a step's pictures go. */
export const getPicturePath = (folder: string, name: string): string => join(folder, `${name}.png`);
