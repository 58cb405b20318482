import { readFileSync, readlinkSync } from "node:fs";

/** A process, and the machine on which its number means something. */
export interface Residence {
	readonly machine: string;
	readonly pid: number;
}

/** Where this process is; `undefined` where the system does not name itself for certain. */
export function ownResidence(): Residence | undefined {
	try {
		// A machine is another one after each start of it, and a container has process numbers of its own.
		const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
		return { machine: `${boot} ${readlinkSync("/proc/self/ns/pid")}`, pid: process.pid };
	} catch {
		return undefined;
	}
}

/** Whether a process has certainly ended: this one can see that there is none of its number where both are. */
export function hasEnded(theirs: Residence | undefined, own: Residence | undefined): boolean {
	if (!theirs || theirs.machine !== own?.machine || theirs.pid === own.pid) return false;
	try {
		process.kill(theirs.pid, 0);
		return false;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === "ESRCH";
	}
}
