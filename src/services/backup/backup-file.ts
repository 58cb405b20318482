/**
 * What a backup is on the disk: gzip over lines of JSON. The first says what it is, each of the next is one document as the
 * store has it, `[key, text]`, and the last how many there are and the SHA-256 of all lines before it. So a file that was cut
 * short, or has a flipped bit, is noticed before anything is done with it; and what one store held can be put into another.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { constants, copyFile, link, open, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { isErrno } from "@atelier/common/is-errno";
import { undefinedIfMissing } from "../delivery/atomic-write.ts";
import type { TextEntry } from "@atelier/store/kv-adapter";

const FORMAT = "atelier-backup";
const VERSION = 1;
/** It has prompts, and tokens of replies, in it. */
const FILE_MODE = 0o600;
/** What is handed to the compressor at a time. */
const CHUNK_CHARS = 64 * 1024;

const headLine = z.object({
	format: z.literal(FORMAT),
	version: z.number().int(),
	/** No later than the moment of its documents. */
	madeAtMs: z.number(),
	/** How often the past of this installation had been restored by then. */
	epoch: z.number().int(),
});
const entryLine = z.tuple([z.string(), z.string()]);
const lastLine = z.object({ entries: z.number().int(), sha256: z.string() });

export type BackupHead = Pick<z.infer<typeof headLine>, "madeAtMs" | "epoch">;

/** The file is no backup, not a whole one, or one of a newer version. */
export class DamagedBackupError extends Error {
	override readonly name = "DamagedBackupError";
}

/** Something has the name that the backup was to have: an older backup is never overwritten. */
export class BackupExistsError extends Error {
	override readonly name = "BackupExistsError";
}

/**
 * Writes a backup; resolves to how many documents are in it. The file has its name when it is whole, and not before. Throws
 * `BackupExistsError` where the name is taken, at the beginning or meanwhile.
 */
export async function writeBackup(path: string, head: BackupHead, entries: AsyncIterable<TextEntry>): Promise<number> {
	if (await stat(path).catch(undefinedIfMissing)) throw backupExistsError(path);
	const part = `${path}.${process.pid}.part`;
	let count = 0;
	const hash = createHash("sha256");
	function take(value: unknown): string {
		const line = `${JSON.stringify(value)}\n`;
		hash.update(line);
		return line;
	}
	async function* lines(): AsyncGenerator<string> {
		let chunk = take({ format: FORMAT, version: VERSION, ...head });
		for await (const { key, text } of entries) {
			chunk += take([key, text]);
			count++;
			if (chunk.length < CHUNK_CHARS) continue;
			yield chunk;
			chunk = "";
		}
		yield `${chunk}${JSON.stringify({ entries: count, sha256: hash.digest("hex") })}\n`;
	}
	try {
		await pipeline(Readable.from(lines()), createGzip(), createWriteStream(part, { mode: FILE_MODE }));
		await syncFile(part);
		await publishFile(part, path);
	} finally {
		await rm(part, { force: true });
	}
	return count;
}

/** Unlike a rename, neither of these replaces what has the name. */
async function publishFile(part: string, path: string): Promise<void> {
	try {
		await link(part, path).catch(async (error: unknown) => {
			if (isErrno(error, "EEXIST")) throw error;
			// Some file systems know no links.
			await copyFile(part, path, constants.COPYFILE_EXCL);
			await syncFile(path);
		});
	} catch (error) {
		throw isErrno(error, "EEXIST") ? backupExistsError(path) : error;
	}
}

function backupExistsError(path: string): BackupExistsError {
	return new BackupExistsError(`${path} is there already. Name another file, or move that one. Nothing was written.`);
}

async function syncFile(path: string): Promise<void> {
	const file = await open(path, "r+");
	try {
		await file.sync();
	} finally {
		await file.close();
	}
}

/** Reads the file to its end, and throws `DamagedBackupError` where it is not whole. */
export async function checkBackup(path: string): Promise<BackupHead & { readonly entries: number }> {
	const reading = readLines(path);
	const head = await readHead(reading);
	let entries = 0;
	for await (const _ of reading) entries++;
	return { madeAtMs: head.madeAtMs, epoch: head.epoch, entries };
}

/** The documents of a backup. That it is whole is known only at the end: check it first. */
export async function* readBackup(path: string): AsyncGenerator<TextEntry> {
	const reading = readLines(path);
	await readHead(reading);
	for await (const line of reading) {
		const [key, text] = parsed(entryLine, line);
		yield { key, text };
	}
}

async function readHead(reading: AsyncGenerator<string>): Promise<z.infer<typeof headLine>> {
	const first = await reading.next();
	if (first.done === true) throw new DamagedBackupError("it is empty");
	const head = parsed(headLine, first.value);
	if (head.version > VERSION) throw new DamagedBackupError("it was made by a newer version of Atelier");
	return head;
}

/** Every line but the last, which is compared with them. */
async function* readLines(path: string): AsyncGenerator<string> {
	const hash = createHash("sha256");
	let count = 0;
	let held: string | undefined;
	for await (const line of linesOf(path)) {
		if (held !== undefined) {
			hash.update(`${held}\n`);
			count++;
			yield held;
		}
		held = line;
	}
	const { entries, sha256 } = parsed(lastLine, held ?? "");
	// The first line is none of the entries.
	if (entries !== count - 1 || sha256 !== hash.digest("hex")) throw new DamagedBackupError("its content has changed");
}

/** Not by `node:readline`, which takes U+2028, as it may stand in a prompt, for the end of a line. */
async function* linesOf(path: string): AsyncGenerator<string> {
	const file = createReadStream(path);
	const unpacked = createGunzip();
	file.on("error", (error) => unpacked.destroy(error));
	file.pipe(unpacked).setEncoding("utf8");
	let rest = "";
	try {
		for await (const chunk of unpacked as AsyncIterable<string>) {
			const lines = (rest + chunk).split("\n");
			rest = lines.pop() ?? "";
			yield* lines;
		}
	} catch (error) {
		if (isGzipError(error)) throw new DamagedBackupError("it is not whole, or no backup", { cause: error });
		throw error;
	} finally {
		file.destroy();
		unpacked.destroy();
	}
	if (rest !== "") throw new DamagedBackupError("it is not whole");
}

function isGzipError(error: unknown): boolean {
	return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}

function parsed<T>(schema: z.ZodType<T>, line: string): T {
	try {
		return schema.parse(JSON.parse(line));
	} catch (cause) {
		throw new DamagedBackupError("it is not whole, or no backup", { cause });
	}
}
