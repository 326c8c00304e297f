import { complete } from './complete';
import { getConsentUrl } from './getConsentUrl';
import { revoke } from './revoke';

export const operations = [complete, getConsentUrl, revoke];
