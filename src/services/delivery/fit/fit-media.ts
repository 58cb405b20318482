import { stat } from "node:fs/promises";
import { UnfitMedia, type FitAnswer, type FitJob, type MediaKind } from "./fit-job.ts";
import { fitFilm } from "./film/fit-film.ts";
import { probeFilm } from "./film/probe-film.ts";
import { fitFrame, fitPicture } from "./picture/fit-picture.ts";
import { fitSound, previewSound } from "./sound/fit-sound.ts";

/** One file made to fit. Runs in a process of its own, in the folder that the job names. Throws `UnfitMedia`. */
export async function fitMedia(job: FitJob): Promise<FitAnswer> {
	const { size } = await stat(job.path);
	const kind = heldBy(job);
	const { expected, contentType } = job;
	// An image was judged before: the one that is expected to move does.
	if (expected !== undefined && expected !== kind && kind !== "picture") {
		throw new UnfitMedia({ kind: "wrongMedium", expected, found: kind, contentType });
	}
	if (job.task === "preview") return kind === "sound" ? previewSound(job) : fitFrame(job);
	switch (kind) {
		case "picture":
			return fitPicture(job, size);
		case "sound":
			return fitSound(job, size);
		case "film":
			return fitFilm(job, size);
	}
}

/** A container for films may hold sound alone. */
function heldBy({ kind, path }: FitJob): MediaKind {
	return kind === "film" && probeFilm(path) === undefined ? "sound" : kind;
}
