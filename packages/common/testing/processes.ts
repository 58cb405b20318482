import { spawnSync } from "node:child_process";

/** Returns whether a process, or a process group by its negative id, is running. */
export function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

/** Returns the child processes of a process. */
export function childrenOf(pid: number | undefined): readonly number[] {
	const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" });
	const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
	return rows.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}
