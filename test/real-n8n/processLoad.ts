/** Measures the CPU time and memory of processes that `startProcess` has started. Works on Linux only. */
import { readdir, readFile, writeFile } from 'node:fs/promises';

/** The CPU times in /proc are counted in ticks. A second has this many. */
const TICKS_PER_SECOND = 100;

/** The CPU time or memory of a process that leads a process group, and the sum for all other processes of the group. */
export interface GroupUsage {
	leader: number;
	children: number;
}

/**
 * Reads the process group and the CPU time of a process. The CPU time includes that of its ended children.
 * @returns undefined if the process has ended
 */
async function readProcessStat(pid: string): Promise<{ pid: number; group: number; seconds: number } | undefined> {
	const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
	// The numeric fields come after the program's name in parentheses. The name itself may contain spaces and parentheses.
	const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
	const [group, ...times] = [2, 11, 12, 13, 14].map((index) => Number(fields[index]));
	if (group === undefined || !times.every((time) => time >= 0)) return undefined;
	return { pid: Number(pid), group, seconds: times.reduce((sum, time) => sum + time, 0) / TICKS_PER_SECOND };
}

/** Returns the CPU time that a process and its children have used so far, in seconds. */
export async function measureCpuSeconds(pid: number): Promise<GroupUsage> {
	const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const cpu: GroupUsage = { leader: 0, children: 0 };
	for (const stat of await Promise.all(names.map(readProcessStat))) {
		if (stat?.group !== pid) continue;
		cpu[stat.pid === pid ? 'leader' : 'children'] += stat.seconds;
	}
	return cpu;
}

/** Returns the current and the peak memory of a process, in megabytes. @returns undefined if the process has ended */
export async function measureProcessMemory(pid: number): Promise<{ now: number; peak: number } | undefined> {
	const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => undefined);
	if (status === undefined) return undefined;
	const readMegabytes = (field: string) =>
		Math.round(Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024);
	return { now: readMegabytes('VmRSS'), peak: readMegabytes('VmHWM') };
}

/** Returns the memory that a process and its children use now, in megabytes. */
export async function measureGroupMemory(pid: number): Promise<GroupUsage> {
	const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const memory: GroupUsage = { leader: 0, children: 0 };
	for (const stat of await Promise.all(names.map(readProcessStat))) {
		if (stat?.group !== pid) continue;
		memory[stat.pid === pid ? 'leader' : 'children'] += (await measureProcessMemory(stat.pid))?.now ?? 0;
	}
	return memory;
}

/** Resets the peak memory that `measureProcessMemory` returns. */
export async function resetPeakMemory(pid: number): Promise<void> {
	await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
}
