import { readFileSync, readlinkSync } from "node:fs";
import { isErrno } from "@atelier/common/is-errno";

/** A process id, with the machine and PID namespace in which it is valid. */
export interface ProcessIdentity {
	readonly machine: string;
	readonly pid: number;
}

/** Returns the identity of this process, or `undefined` where the system does not identify the machine (no procfs). */
export function ownProcessIdentity(): ProcessIdentity | undefined {
	try {
		// The boot id changes with every start of the machine; each container has process ids of its own.
		const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
		return { machine: `${boot} ${readlinkSync("/proc/self/ns/pid")}`, pid: process.pid };
	} catch {
		return undefined;
	}
}

/** Returns true if the other process has certainly ended, which can be seen only on the same machine. */
export function hasEnded(other: ProcessIdentity | undefined, own: ProcessIdentity | undefined): boolean {
	if (!other || other.machine !== own?.machine) return false;
	try {
		process.kill(other.pid, 0);
		return false;
	} catch (error) {
		return isErrno(error, "ESRCH");
	}
}
