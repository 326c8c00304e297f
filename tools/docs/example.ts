import type { IDataObject } from 'n8n-workflow';

const LONGEST = 80;
const MOST = 2;

/** Text without what differs from one run to the next: dates, and where the service happened to be. */
const steady = (text: string): string =>
	text
		.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://service.example')
		.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '2026-01-31T09:00:00.000Z');

/** An item as an example: short, the same in every run, and without the secrets. */
export function exampleOf(item: IDataObject, secrets: readonly string[]): string {
	const shorten = (_name: string, value: unknown): unknown => {
		if (typeof value === 'string') {
			const text = steady(secrets.reduce((clean, secret) => clean.replaceAll(secret, '(shown once)'), value));
			return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
		}
		const list: unknown[] = Array.isArray(value) ? value : [];
		if (list.length <= MOST) return value;
		return [...list.slice(0, MOST), `… and ${list.length - MOST} more`];
	};
	return JSON.stringify(item, shorten, 2);
}
