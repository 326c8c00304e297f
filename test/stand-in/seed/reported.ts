import { makeGuid, makeShortId } from '../random';
import type { Company, ReportedEmail, TargetUser } from './records';
import { DAY_MS, EPOCH } from './words';

const EMAIL_BODY_HTML = `<html><head><style>p { color: red }</style></head><body onload="steal()"><!-- hidden -->
<p>Dear customer,</p><p>your invoice is <b>overdue</b> &amp; must be paid: <a href="https://pay.evil.example/login">Pay&nbsp;now</a></p>
<script>document.location = 'https://evil.example'</script></body></html>`;

const SUBJECTS = ['Invoice overdue', 'Your parcel is waiting', 'Gift cards, urgently'];

/** Seeds the emails that users of a company have reported. The last one is still being analyzed. */
export function seedReportedEmails(
	company: Company,
	users: readonly TargetUser[],
	referenceTime = EPOCH,
): ReportedEmail[] {
	const id = company.companyResourceId;
	return SUBJECTS.map((subject, i) => ({
		resourceId: makeShortId(`reported ${id} ${i}`),
		subject,
		reportedBy: users[i % Math.max(1, users.length)]?.email ?? 'somebody@customer.example',
		from: `billing${i}@evil.example`,
		senderName: 'Accounts & Billing',
		senderIp: `203.0.113.${10 + i}`,
		htmlBody: EMAIL_BODY_HTML,
		status: i === 2 ? 'BeingAnalyzed' : 'Open',
		result: i === 0 ? 'Phishing' : 'Undetected',
		tags: i === 0 ? ['invoice', 'wave 1'] : [],
		note: i === 0 ? 'Ada looks at it' : null,
		customMessage: i === 0 ? 'Thank you' : null,
		isNotifyUser: i === 0,
		createTime: new Date(referenceTime - (i + 1) * DAY_MS).toISOString(),
		sha512: makeGuid(`file ${id} ${i}`),
		sentEmailCount: 0,
	}));
}
