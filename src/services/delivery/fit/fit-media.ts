import { stat } from "node:fs/promises";
import type { FitAnswer, FitJob } from "./fit-job.ts";
import { fitFilm } from "./film/fit-film.ts";
import { probeFilm } from "./film/probe-film.ts";
import { fitFrame, fitPicture } from "./picture/fit-picture.ts";
import { fitSound, previewSound } from "./sound/fit-sound.ts";

/** One file made to fit. Runs in a process of its own, in the folder that the job names. Throws `UnfitMedia`. */
export async function fitMedia(job: FitJob): Promise<FitAnswer> {
	const { size } = await stat(job.path);
	if (job.task === "preview") return job.kind === "sound" ? previewSound(job) : fitFrame(job);
	switch (job.kind) {
		case "picture":
			return fitPicture(job, size);
		case "sound":
			return fitSound(job, size);
		case "film":
			// A container for films may hold sound alone.
			return probeFilm(job.path) === undefined ? fitSound(job, size) : fitFilm(job, size);
	}
}
