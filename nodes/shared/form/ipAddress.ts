import { parseUrl } from '../transport/connection';
import { InvalidInput } from '../transport/errors';
import { parseTexts } from './text';

const isIpv4 = (text: string) =>
	/^\d{1,3}(\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255);

// A URL's host is checked by the platform, which knows every short form of IPv6.
const isIpv6 = (text: string) =>
	/^[0-9a-f:.]+$/i.test(text) && text.includes(':') && parseUrl(`http://[${text}]/`) !== undefined;

function isAddressOrRange(text: string): boolean {
	const [address = '', prefix, ...rest] = text.split('/');
	const bits = isIpv4(address) ? 32 : isIpv6(address) ? 128 : -1;
	if (bits < 0 || rest.length > 0) return false;
	return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

/**
 * Parses IPv4 or IPv6 addresses and ranges in CIDR notation (contract 2.11).
 * @throws InvalidInput with the first entry that is neither
 */
export function parseIpAddresses(raw: unknown): string[] {
	const addresses = parseTexts(raw);
	const wrong = addresses.find((address) => !isAddressOrRange(address));
	if (wrong !== undefined)
		throw new InvalidInput(
			`must contain IP addresses, but '${wrong.slice(0, 60)}' is none`,
			[],
			'Write them as 203.0.113.7, 2001:db8::1 or, for a range, 203.0.113.0/24, separated by commas.',
		);
	return addresses;
}
