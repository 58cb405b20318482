import type { ResultStore } from "../../src/services/delivery/result-store.ts";
import { contentOf } from "./file-content.ts";

/** Creates a result store in memory. Its files have no path, so that only their content can be read. */
export function createMemoryResultStore(): ResultStore {
	const files = new Map<string, Buffer>();
	return {
		async stage(taskId, content) {
			const bytes = Buffer.concat(await Array.fromAsync(content));
			return {
				sizeBytes: bytes.byteLength,
				path: "",
				store: async (index) => void files.set(`${taskId}-${index}`, bytes),
				storeFullSize: async (index) => void files.set(`${taskId}-${index}.full`, bytes),
				async [Symbol.asyncDispose]() {},
			};
		},
		async open(taskId, index) {
			const name = `${taskId}-${index}`;
			const bytes = files.get(name);
			if (!bytes) return undefined;
			return {
				sizeBytes: bytes.byteLength,
				async readInto(target) {
					const found = files.get(name);
					if (!found) throw new Error("nothing to read");
					await contentOf(found).readInto(target);
				},
			};
		},
		async locateFullSize(taskId, index) {
			const fullSize = files.get(`${taskId}-${index}.full`);
			const bytes = fullSize ?? files.get(`${taskId}-${index}`);
			const found = { path: "", keptUntilMs: Number.MAX_SAFE_INTEGER, hasPreview: fullSize !== undefined };
			return bytes && { ...found, sizeBytes: bytes.byteLength };
		},
		async remove(taskId) {
			for (const key of files.keys()) if (key.startsWith(`${taskId}-`)) files.delete(key);
		},
		async prune() {},
	};
}
