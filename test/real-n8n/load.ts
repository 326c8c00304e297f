/** What a process that startProcess has started takes: CPU time and memory, as Linux counts them. */
import { readdir, readFile, writeFile } from 'node:fs/promises';

/** Linux counts a process's time in hundredths of a second. */
const TICKS_A_SECOND = 100;

/** @returns a process's group, and the time that it and its children that have ended took; undefined if it is gone */
async function statOf(pid: string): Promise<{ pid: number; group: number; seconds: number } | undefined> {
	const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
	// Behind the program's name, which may have spaces and parentheses.
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const [group, ...times] = [2, 11, 12, 13, 14].map((index) => Number(fields[index]));
	if (group === undefined || !times.every((time) => time >= 0)) return undefined;
	return { pid: Number(pid), group, seconds: times.reduce((sum, time) => sum + time, 0) / TICKS_A_SECOND };
}

/**
 * How much CPU time a process that startProcess has started took so far, and all that it started itself. Known on
 * Linux only.
 * @returns seconds
 */
export async function cpuSecondsOf(pid: number): Promise<{ own: number; others: number }> {
	const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const cpu = { own: 0, others: 0 };
	for (const each of await Promise.all(names.map(statOf))) {
		if (each?.group !== pid) continue;
		cpu[each.pid === pid ? 'own' : 'others'] += each.seconds;
	}
	return cpu;
}

/** How much memory a process has now and had at its peak, in megabytes. Known on Linux only. */
export async function processMemory(pid: number): Promise<{ now: number; peak: number } | undefined> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
	if (status === undefined) return undefined;
	const megabytes = (field: string) =>
		Math.round(Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024);
	return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** How much memory a process that startProcess has started has now, and all that it started itself, in megabytes. */
export async function groupMemory(pid: number): Promise<{ own: number; others: number }> {
	const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const memory = { own: 0, others: 0 };
	for (const each of await Promise.all(names.map(statOf))) {
		if (each?.group !== pid) continue;
		memory[each.pid === pid ? 'own' : 'others'] += (await processMemory(each.pid))?.now ?? 0;
	}
	return memory;
}

/** Resets the peak of processMemory. */
export async function resetPeakMemory(pid: number): Promise<void> {
	await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
}
