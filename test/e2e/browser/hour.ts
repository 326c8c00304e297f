import { join } from 'node:path';
import { actions, customCall, inserted } from './actions';
import type { Step } from './step';
import { credential } from './credential';
import { customFields, dueDate, lastJob, newCompany, onlyPeopleWho } from './filled';
import { withoutCompany } from './lists';
import { dark, enroll, pickByScrolling, pickBySearch } from './forms';
import { download, refused, run, text } from './outputs';
import { agent, found, installed, nodePanel, triggers } from './panel';
import { filterRows, noWrongRows } from './rows';

/** The newcomer's hour, in its order. */
export const STEPS: Record<string, Step> = {
	'the package is there': installed,
	'a credential: wrong, wrong, right': credential,
	'Company by the word "tenant"': nodePanel,
	'found by what people call their work': found,
	'every action listed': actions,
	'actions taken into a workflow': inserted,
	'a customer by search': pickBySearch,
	'a customer on page 3': pickByScrolling,
	'table and schema': run,
	'filters in rows, one sort': filterRows,
	'no wrong rows without a word': noWrongRows,
	'the last job': lastJob,
	'an enrollment without a due date': dueDate,
	'a company without lists': newCompany,
	'custom fields': customFields,
	'who clicked, everywhere': onlyPeopleWho,
	'an enrollment with the date picker': enroll,
	'a list before its company is chosen': withoutCompany,
	'a text by dragging': text,
	'a file downloaded': download,
	'both triggers, test event': triggers,
	"an AI Agent's tools": agent,
	'a refusal explained': refused,
	'dark theme': dark,
	'Custom API Call': customCall,
};

/** Where a step's pictures go. */
export const pathOf = (folder: string, name: string): string => join(folder, `${name}.png`);
