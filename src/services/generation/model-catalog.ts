import type { Logger } from "pino";
import type { Clock } from "@atelier/common/clock";
import type { Money } from "../../i18n/money.ts";
import { enumerate, quote } from "../../i18n/quote.ts";
import { UserError } from "../user-error.ts";
import { classifyError } from "./classify-service-error.ts";
import type { GenerationRequest } from "./request.ts";
import { MediaRejectedError, type MediaApi } from "./media-api.ts";
import { MEDIA_TYPES, type MediaType, type Model } from "@atelier/media-protocol/model";

const FRESH_MS = 60_000;
const FETCH_TIMEOUT_MS = 5_000;
const MODEL_CHARS_QUOTED = 60;

export type ModelCatalog = ReturnType<typeof createModelCatalog>;

/** Returns the cached models of all media types. */
export function knownModels({ known }: Pick<ModelCatalog, "known">): readonly Model[] {
	return MEDIA_TYPES.flatMap((mediaType) => known(mediaType));
}

/** Returns the model of an earlier request; `undefined` if the service no longer lists it. */
export function modelOf({ known }: Pick<ModelCatalog, "known">, request: GenerationRequest): Model | undefined {
	return known(request.mediaType).find(({ id }) => id === request.model);
}

/** Like `modelNamed`, but throws a `UserError` with the names of all if it is unknown. */
export function findModel(models: readonly Model[], typed: string): Model {
	if (models.length === 0) throw new UserError({ key: "service.down" });
	const found = modelNamed(models, typed);
	if (found) return found;
	const known = enumerate(models.map(({ name }) => name));
	const params = { model: quote(typed, MODEL_CHARS_QUOTED), known };
	throw new UserError({ key: "request.modelUnknown", params, remedy: "help" });
}

/** Finds a model by its id or name, ignoring case. */
export function modelNamed(models: readonly Model[], typed: string): Model | undefined {
	const idOrName = typed.trim().toLowerCase();
	return models.find(({ id, name }) => id.toLowerCase() === idOrName || name.toLowerCase() === idOrName);
}

interface ModelCatalogDeps {
	readonly media: MediaApi;
	readonly clock: Clock;
	readonly logger: Logger;
	/** Models that the operator configured. They replace the listed ones unless empty. */
	readonly configuredModels: readonly Model[];
	readonly creditPrice?: Money | undefined;
}

/** The models of the media service, cached for 60 s: autocomplete never waits, and during an outage the last known ones stay. */
export function createModelCatalog({ media, clock, logger, configuredModels, creditPrice }: ModelCatalogDeps) {
	let models: readonly Model[] = configuredModels;
	let refreshedAtMs = Number.NEGATIVE_INFINITY;
	let refreshing: Promise<void> | undefined;

	/** Reads the models now. Resolves after success and failure. */
	function refresh(): Promise<void> {
		refreshing ??= fetchModels().finally(() => (refreshing = undefined));
		return refreshing;
	}

	async function fetchModels(): Promise<void> {
		refreshedAtMs = clock.nowMs();
		// Configured models need no refresh.
		if (configuredModels.length > 0) return;
		try {
			const listed = await media.models(AbortSignal.timeout(FETCH_TIMEOUT_MS));
			// Without a list, a proxy may have responded instead of the service.
			models = listed?.models ?? models;
			const { invalidCount = 0, firstReason } = listed ?? {};
			if (invalidCount > 0) logger.warn({ invalidCount, firstReason }, "invalid models ignored");
			if (models.length === 0) logger.warn("no models: the service lists none and MEDIA_CATALOG names none");
			else if (!listed) logger.warn("models not read");
		} catch (error) {
			// Keeps the known models; a submit reports an outage.
			const isKeyRejected = error instanceof MediaRejectedError && classifyError(error) === "operatorKey";
			if (isKeyRejected) logger.error({ code: error.code }, "media service rejected MEDIA_API_KEY");
			else logger.warn({ err: error }, "models not read");
		}
	}

	/** Returns the cached models without waiting. Refreshes in the background if they are old. */
	function known(mediaType: MediaType): readonly Model[] {
		if (clock.nowMs() - refreshedAtMs > FRESH_MS) void refresh();
		return models.filter((model) => model.mediaType === mediaType);
	}

	/**
	 * Throws a `UserError` while the service is down. After the pause, a listing of the models probes the service, because a failed
	 * listing costs nothing.
	 */
	async function denyWhileDown(): Promise<void> {
		const before = media.health();
		if (before.state === "down" && clock.nowMs() >= before.retryAtMs) await refresh();
		const after = media.health();
		// A service without a listing is probed by the submit itself.
		if (after.state === "down" && clock.nowMs() < after.retryAtMs) throw new UserError({ key: "service.down" });
	}

	return {
		/** The price of one credit in money, if the operator has set one. */
		creditPrice,
		known,
		refresh,
		/** Reads the models if none are known. Throws a denial while the service is down. */
		async list(mediaType: MediaType): Promise<readonly Model[]> {
			await denyWhileDown();
			if (known(mediaType).length === 0) await refresh();
			return known(mediaType);
		},
	};
}
