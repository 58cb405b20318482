import type { ResultStore } from "../../src/services/delivery/result-store.ts";
import { contentOf } from "./file-content.ts";

/** Creates a result store in memory. Its files have no path, so that only their content can be read. */
export function createMemoryResultStore(): ResultStore {
	const files = new Map<string, Buffer>();
	return {
		async draft(taskId, index, content) {
			const bytes = Buffer.concat(await Array.fromAsync(content));
			return {
				sizeBytes: bytes.byteLength,
				path: "",
				store: async (asIndex = index) => void files.set(`${taskId}-${asIndex}`, bytes),
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
		async locate(taskId, index) {
			const bytes = files.get(`${taskId}-${index}`);
			return bytes && { path: "", sizeBytes: bytes.byteLength, keptUntilMs: Number.MAX_SAFE_INTEGER };
		},
		async move(taskId, index, toIndex) {
			const bytes = files.get(`${taskId}-${index}`);
			if (!bytes) throw new Error("nothing to move");
			files.delete(`${taskId}-${index}`);
			files.set(`${taskId}-${toIndex}`, bytes);
		},
		async remove(taskId, index) {
			if (index !== undefined) return void files.delete(`${taskId}-${index}`);
			for (const key of files.keys()) if (key.startsWith(`${taskId}-`)) files.delete(key);
		},
		async prune() {},
	};
}
