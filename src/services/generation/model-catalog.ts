import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import { enumerate, quote } from "../../i18n/quote.ts";
import { UserError } from "../user-error.ts";
import { classifyError } from "./classify-error.ts";
import { MediaRefusedError, type MediaApi } from "./media-api.ts";
import type { MediaType, Model } from "@atelier/media-protocol/model";

const FRESH_MS = 60_000;
const FETCH_TIMEOUT_MS = 5_000;

/** The models there are, remembered for a minute: autocomplete has no time to ask, and a service that is away no voice. */
export interface ModelCatalog {
	/** What is known now, without waiting; asks again in the background when that is old. */
	known(mediaType: MediaType): readonly Model[];
	/**
	 * The model with that id or name; where none is named the first of its kind that may be used, or simply the first.
	 * Refuses in words when there is none.
	 */
	choose(mediaType: MediaType, wanted: string | null, mayBeUsed?: (model: Model) => boolean): Promise<Model>;
	/** Asks the service now. Resolves when the answer, or the failure to get one, is in. */
	refresh(): Promise<void>;
}

interface CatalogueDeps {
	readonly media: MediaApi;
	readonly clock: Clock;
	readonly logger: Logger;
	/** What the operator configured, instead of what the service lists; empty where nothing is configured. */
	readonly configured: readonly Model[];
}

export function createModelCatalog({ media, clock, logger, configured }: CatalogueDeps): ModelCatalog {
	let models: readonly Model[] = configured;
	let askedAtMs = Number.NEGATIVE_INFINITY;
	let asking: Promise<void> | undefined;

	function refresh(): Promise<void> {
		asking ??= ask().finally(() => (asking = undefined));
		return asking;
	}

	async function ask(): Promise<void> {
		askedAtMs = clock.nowMs();
		// What the operator configured is what there is.
		if (configured.length > 0) return;
		try {
			const listed = await media.models(AbortSignal.timeout(FETCH_TIMEOUT_MS));
			models = listed?.models ?? [];
			const { notUnderstood = 0, firstReason } = listed ?? {};
			if (notUnderstood > 0) logger.warn({ notUnderstood, firstReason }, "models left out, they are not understood");
			if (models.length === 0) logger.warn("no models: the service lists none and MEDIA_CATALOGUE names none");
		} catch (error) {
			// What was known stays in use; a submit will tell the person if the service is really away.
			const isKeyRefused = error instanceof MediaRefusedError && classifyError(error) === "operatorKey";
			if (isKeyRefused) logger.error({ code: error.code }, "the media service refuses MEDIA_API_KEY");
			else logger.warn({ err: error }, "models not read");
		}
	}

	function known(mediaType: MediaType): readonly Model[] {
		if (clock.nowMs() - askedAtMs > FRESH_MS) void refresh();
		return models.filter((model) => model.mediaType === mediaType);
	}

	/** Before anything is spent. A listing that fails costs nothing, so it finds out whether the service is back. */
	async function refuseWhileDown(): Promise<void> {
		const before = media.health();
		if (before.state === "down" && clock.nowMs() >= before.retryAtMs) await refresh();
		const after = media.health();
		// Where nothing is listed, the order itself finds out once the rest is over.
		if (after.state === "down" && clock.nowMs() < after.retryAtMs) throw new UserError({ key: "serviceDown" });
	}

	return {
		known,
		refresh,
		async choose(mediaType, wanted, mayBeUsed = () => true) {
			await refuseWhileDown();
			if (known(mediaType).length === 0) await refresh();
			const candidates = known(mediaType);
			const [first] = candidates;
			if (!first) throw new UserError({ key: "noModel", params: { mediaType } });
			if (wanted === null) return candidates.find((model) => mayBeUsed(model)) ?? first;
			const word = wanted.trim().toLowerCase();
			const found = candidates.find(({ id, name }) => id.toLowerCase() === word || name.toLowerCase() === word);
			if (found) return found;
			const names = enumerate(candidates.map(({ name }) => name));
			throw new UserError({ key: "modelUnknown", params: { model: quote(wanted, 60), known: names } });
		},
	};
}
