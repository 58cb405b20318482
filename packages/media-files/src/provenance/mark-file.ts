import { createReadStream } from "node:fs";
import { detectMediaFileType } from "../detection/detect-type.ts";
import { applyPlan, provenanceOf, UNSUPPORTED, type Provenance } from "./file-edits.ts";
import { planMarkOfFile } from "./plan-file-edits.ts";
import { bytesOfMark, type ProvenanceMark } from "./xmp.ts";

export { bytesOfMark, type ProvenanceMark, type Provenance };

/** Plans a marked copy of a complete file on disk, by the type of its content. The copy is created when it is read. */
export async function markFile(path: string, mark: ProvenanceMark) {
	const type = await detectMediaFileType(path);
	const plan = type ? await planMarkOfFile(type.contentType, path, mark) : UNSUPPORTED;
	return {
		/** The mark of the copy: the new one, or one that the file has already. */
		provenance: provenanceOf(plan),
		/** False if the copy equals the file, because it has a mark already, is damaged, or its type has no place for a mark. */
		isChanged: plan.kind === "mark",
		read: () => applyPlan(createReadStream(path), plan),
	};
}
