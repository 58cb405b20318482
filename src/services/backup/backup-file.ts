/**
 * The format of a backup: gzip over lines of JSON. The first line is a header, each of the next is one document as the
 * store has it, `[key, text]`, and the last contains their number and the SHA-256 of all lines before it. A truncated
 * or corrupted file is therefore detected before it is used, and a backup of one kind of store can be restored into
 * another.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { constants, copyFile, link, open, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { isErrno } from "@atelier/common/is-errno";
import { undefinedIfMissing } from "../delivery/durable-file.ts";
import type { KvEntry } from "@atelier/store/kv-adapter";

const FORMAT = "atelier-backup";
const VERSION = 1;
/** The file contains prompts and interaction tokens. */
const FILE_MODE = 0o600;
/** Characters per write to the compressor. */
const CHUNK_CHARS = 64 * 1024;

const headLine = z.object({
	format: z.literal(FORMAT),
	version: z.number().int(),
	/** The start of the backup: later changes may be missing. */
	madeAtMs: z.number(),
	epoch: z.number().int(),
});
const entryLine = z.tuple([z.string(), z.string()]);
const lastLine = z.object({ entries: z.number().int(), sha256: z.string() });

export type BackupHead = Pick<z.infer<typeof headLine>, "madeAtMs" | "epoch">;

/** The file is not a backup, is damaged, or comes from a newer version. */
export class DamagedBackupError extends Error {
	override readonly name = "DamagedBackupError";
}

/** The file exists already: a backup is never overwritten. */
export class BackupExistsError extends Error {
	override readonly name = "BackupExistsError";
}

/**
 * Writes a backup and resolves to its number of documents. With hard links, the file gets its name once it is complete. Throws
 * `BackupExistsError` if the name is taken, at the start or meanwhile.
 */
export async function writeBackup(path: string, head: BackupHead, entries: AsyncIterable<KvEntry>): Promise<number> {
	if (await stat(path).catch(undefinedIfMissing)) throw backupExistsError(path);
	const partialPath = `${path}.${process.pid}.part`;
	let count = 0;
	const hash = createHash("sha256");
	function hashedLine(value: unknown): string {
		const line = `${JSON.stringify(value)}\n`;
		hash.update(line);
		return line;
	}
	async function* lines(): AsyncGenerator<string> {
		let chunk = hashedLine({ format: FORMAT, version: VERSION, ...head });
		for await (const { key, text } of entries) {
			chunk += hashedLine([key, text]);
			count++;
			if (chunk.length < CHUNK_CHARS) continue;
			yield chunk;
			chunk = "";
		}
		yield `${chunk}${JSON.stringify({ entries: count, sha256: hash.digest("hex") })}\n`;
	}
	try {
		await pipeline(Readable.from(lines()), createGzip(), createWriteStream(partialPath, { mode: FILE_MODE }));
		await syncFile(partialPath);
		await publishFile(partialPath, path);
	} finally {
		await rm(partialPath, { force: true });
	}
	return count;
}

/** Unlike a rename, link and copy do not replace an existing file. */
async function publishFile(partialPath: string, path: string): Promise<void> {
	try {
		await link(partialPath, path).catch(async (error: unknown) => {
			if (isErrno(error, "EEXIST")) throw error;
			// Some file systems do not support hard links.
			await copyFile(partialPath, path, constants.COPYFILE_EXCL);
			await syncFile(path);
		});
	} catch (error) {
		throw isErrno(error, "EEXIST") ? backupExistsError(path) : error;
	}
}

function backupExistsError(path: string): BackupExistsError {
	return new BackupExistsError(`${path} already exists. Choose another name, or move that file. Nothing was written.`);
}

async function syncFile(path: string): Promise<void> {
	const file = await open(path, "r+");
	try {
		await file.sync();
	} finally {
		await file.close();
	}
}

/** Reads and verifies the whole file. Throws `DamagedBackupError` unless it is complete and unchanged. */
export async function checkBackup(path: string): Promise<BackupHead & { readonly entries: number }> {
	const lines = readLines(path);
	const head = await readHead(lines);
	let entries = 0;
	for await (const _ of lines) entries++;
	return { madeAtMs: head.madeAtMs, epoch: head.epoch, entries };
}

/** Yields the documents of a backup. Call `checkBackup` first: corruption shows only at the end. */
export async function* readBackup(path: string): AsyncGenerator<KvEntry> {
	const lines = readLines(path);
	await readHead(lines);
	for await (const line of lines) {
		const [key, text] = parseLine(entryLine, line);
		yield { key, text };
	}
}

async function readHead(lines: AsyncGenerator<string>): Promise<z.infer<typeof headLine>> {
	const first = await lines.next();
	if (first.done === true) throw new DamagedBackupError("it is empty");
	const head = parseLine(headLine, first.value);
	if (head.version > VERSION) throw new DamagedBackupError("it comes from a newer version of Atelier");
	return head;
}

/** Yields all lines except for the last one, and verifies them with its number and hash. */
async function* readLines(path: string): AsyncGenerator<string> {
	const hash = createHash("sha256");
	let count = 0;
	let previousLine: string | undefined;
	for await (const line of linesOf(path)) {
		if (previousLine !== undefined) {
			hash.update(`${previousLine}\n`);
			count++;
			yield previousLine;
		}
		previousLine = line;
	}
	const { entries, sha256 } = parseLine(lastLine, previousLine ?? "");
	// The first line is the header.
	if (entries !== count - 1 || sha256 !== hash.digest("hex")) throw new DamagedBackupError("its content has changed");
}

/** Not `node:readline`, which treats U+2028 as a line end; a prompt may contain it. */
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
		if (isGzipError(error)) throw new DamagedBackupError("it is incomplete, or not a backup", { cause: error });
		throw error;
	} finally {
		file.destroy();
		unpacked.destroy();
	}
	if (rest !== "") throw new DamagedBackupError("it is incomplete");
}

function isGzipError(error: unknown): boolean {
	return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}

function parseLine<T>(schema: z.ZodType<T>, line: string): T {
	try {
		return schema.parse(JSON.parse(line));
	} catch (cause) {
		throw new DamagedBackupError("it is incomplete, or not a backup", { cause });
	}
}
