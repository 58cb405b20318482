// Starts an image as it says itself, and has it show what a container of it has to be able to do.
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { isAnswer } from "../../src/discord/is-answer.ts";
import { openPerson, type Person } from "../../src/playground/person.ts";
import { inMiB } from "./build.ts";
import { asContainer, asExec, type Image } from "./confinement.ts";

/** As compose.yaml gives it. */
const STOP_GRACE_MS = 30_000;
/** Nothing of this is measured: a busy machine may take its time. */
const PATIENCE_MS = 300_000;

type Inside = (command: readonly string[]) => {
	readonly status: number | null;
	readonly stdout: string;
	readonly stderr: string;
};

interface Running {
	readonly origin: string;
	/** As `docker exec` does. */
	readonly inside: Inside;
}

export async function proveImage(image: Image): Promise<void> {
	await whileRunning(image, async ({ origin, inside }) => {
		proveConfinement(image, inside);
		await proveCommand(origin);
		const audit = inside(["node", "src/cli/credits.ts", "audit"]);
		assert.equal(audit.status, 0, `the audit failed: ${audit.stdout}${audit.stderr}`);
		console.log("  an operator's program runs beside it: credits.ts audit");
	});
	await whileRunning(image, async ({ origin }) => {
		const left = await typed(origin, "/credits show");
		assert.match(left.content, /\*\*498\*\*/, "the credits are not what they were");
		console.log("  another one on the same volume knows what was charged");
	});
}

/** Starts a container of the image, has it proved, and stops it as an engine does. */
async function whileRunning(image: Image, prove: (running: Running) => Promise<void>): Promise<void> {
	const port = await freePort();
	const env = { PORT: String(port) };
	const [program = "", ...args] = [...asContainer(image, env), ...image.cmd];
	const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
	const ended = once(child, "exit");
	let log = "";
	child.stdout.setEncoding("utf8").on("data", (text: string) => (log += text));
	const inside: Inside = (command) => {
		const [joining = "", ...words] = [...asExec(image, env, innerPid(child)), ...command];
		return spawnSync(joining, words, { encoding: "utf8" });
	};
	const origin = `http://127.0.0.1:${port}`;
	try {
		await until("it did not become healthy", () => innerPid(child) > 0 && inside(image.healthcheck).status === 0);
		console.log("  the health check says that it is well");
		await until("it did not become ready", async () => (await fetch(`${origin}/readyz`)).ok);
		await prove({ origin, inside });
		await proveStop(child, ended);
	} catch (error) {
		console.error(log);
		throw error;
	} finally {
		child.kill("SIGKILL");
	}
}

async function until(otherwise: string, holds: () => boolean | Promise<boolean>): Promise<void> {
	const giveUpAtMs = performance.now() + PATIENCE_MS;
	while (!(await holds())) {
		assert(performance.now() < giveUpAtMs, otherwise);
		await sleep(500);
	}
}

function proveConfinement({ cmd, uid }: Image, inside: Inside): void {
	const seen = inside([
		"sh",
		"-c",
		`cat /proc/1/status; tr '\\0' ' ' </proc/1/cmdline; echo; touch /app/x /x 2>&1; touch /data/x /tmp/x && rm /data/x`,
	]);
	const status = (name: string): string | undefined => new RegExp(`^${name}:\\s*(\\w+)`, "m").exec(seen.stdout)?.[1];
	assert(seen.stdout.includes(`\n${cmd.join(" ")} \n`), `process 1 is not the image's command\n${seen.stdout}`);
	assert.equal(status("Uid"), String(uid));
	for (const kind of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"]) assert.match(status(kind) ?? "", /^0+$/, kind);
	assert.equal(status("NoNewPrivs"), "1");
	assert.equal(seen.stdout.match(/Read-only file system/g)?.length, 2, `its root can be written\n${seen.stdout}`);
	assert.equal(seen.status, 0, "the volume, or /tmp, cannot be written");
	console.log(`  Node is process 1, as user ${uid} without capabilities, on a root that cannot be written`);
}

async function proveCommand(origin: string): Promise<void> {
	const { attachments, content, size } = await typed(origin, "/image", { prompt: "a lighthouse in a storm", seed: 7 });
	assert(attachments.length === 1, `/image brought no file: ${content}`);
	console.log(`  /image in the playground brought ${attachments[0]?.filename}, ${inMiB(size)}`);
}

/** What somebody at the playground's page sees in the end, and how large the file is that came with it. */
async function typed(origin: string, command: string, options: Parameters<Person["type"]>[1] = {}) {
	const person = await openPerson(origin);
	try {
		const message = await (await person.type(command, options)).until(isAnswer, PATIENCE_MS);
		const [attachment] = message.attachments;
		return { ...message, size: attachment ? (await person.download(attachment)).byteLength : 0 };
	} finally {
		await person.close();
	}
}

async function proveStop(child: ChildProcess, ended: Promise<unknown[]>): Promise<void> {
	const askedMs = performance.now();
	process.kill(innerPid(child), "SIGTERM");
	const late = setTimeout(() => child.kill("SIGKILL"), STOP_GRACE_MS);
	const end = await ended;
	clearTimeout(late);
	assert.deepEqual(end, [0, null], "it did not stop cleanly");
	console.log(`  SIGTERM ended it after ${((performance.now() - askedMs) / 1000).toFixed(1)} s, with code 0`);
}

/** The process in the namespaces, which is the only child of the one that makes them; 0 as long as there is none. */
function innerPid({ pid, exitCode }: ChildProcess): number {
	assert(exitCode === null, `it ended with code ${exitCode}`);
	return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, "close");
	return port;
}
