import { join } from 'node:path';
import { checkActions, runCustomApiCall, insertActions } from './actions';
import type { Step } from './step';
import { createCredential } from './credential';
import { readEmail, useTemplate } from './demo';
import {
	listCustomFields,
	enrollWithoutDueDate,
	readLastJob,
	createCompanyWithoutLists,
	listPeopleWhoClicked,
} from './filledForms';
import { listTargetGroups } from './lists';
import { showWholeNames } from './names';
import { useDarkTheme, createEnrollment, pickByScrolling, pickBySearch } from './forms';
import { downloadFile, showRefusal, readTable, buildTextByDragging } from './outputs';
import { addAgentTool, searchByCommonWords, checkInstalled, searchNodePanel, testTriggers } from './panel';
import { filterAndSort, refuseInvalidDate } from './rows';

/** The tasks of a new user's first hour, by title, in the order in which they run. */
export const FIRST_HOUR_STEPS: Record<string, Step> = {
	'the package is installed': checkInstalled,
	// Before there is a second credential, because n8n selects a template's credential only if there is one of its type.
	'an example from a template': useTemplate,
	'an email in the inbox': readEmail,
	'a credential: wrong, wrong, right': createCredential,
	'Company by the word "tenant"': searchNodePanel,
	'nodes found by common words': searchByCommonWords,
	'every action listed': checkActions,
	'actions added to a workflow': insertActions,
	'no name cut off': showWholeNames,
	'a customer by search': pickBySearch,
	'a customer on page 3': pickByScrolling,
	'table and schema': readTable,
	'filters and sorting': filterAndSort,
	'an invalid filter refused': refuseInvalidDate,
	'the last job': readLastJob,
	'an enrollment without a due date': enrollWithoutDueDate,
	'a company without lists': createCompanyWithoutLists,
	'custom fields': listCustomFields,
	'people who clicked, for every company': listPeopleWhoClicked,
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

export const getPicturePath = (folder: string, name: string): string => join(folder, `${name}.png`);
