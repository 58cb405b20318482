import { z } from "zod";
import { PROFILE_NAMES, PROFILES, type MediaProfile } from "@atelier/media-protocol/profiles";
import type { Model } from "../engine.ts";
import { remoteSettings, type EngineKind } from "../engine-factory.ts";
import { createJobEngine } from "../job-engine.ts";
import { checkFields, checkScenes, orderFields, perScene, type OrderFields } from "../request-mapping.ts";
import { createServiceCaller } from "../http-client.ts";
import { mediaServiceJob } from "./media-service-adapter.ts";

/** A request may contain an image of several megabytes. */
const CALL_TIMEOUT_MS = 60_000;

const settings = z.strictObject({
	...remoteSettings,
	/** The profile of the service; `studio` for another Atelier. */
	profile: z.enum(PROFILE_NAMES).default("specification"),
});
const serving = z.strictObject({
	...orderFields,
	/** The model's name at the service, if it differs from the id. */
	model: perScene(z.string().min(1)).exactOptional(),
});

/** Another service of the specification, such as an Atelier with better hardware. */
export const mediaServiceKind: EngineKind<z.infer<typeof settings>, z.infer<typeof serving>> = {
	kind: "media-service",
	settings,
	serving,
	ownModels: [],
	async open(entry, { clock, logger, fault, downloadFor }) {
		const { name, settings: given, secret } = entry;
		if (secret === undefined)
			fault(`engines.${name}.secret`, 'expected {"env": "NAME"} or {"file": "PATH"}, for a key of the service');
		const profile: MediaProfile = PROFILES[given.profile];
		const models = entry.models.map((served) => {
			const { model, place, serving: order } = served;
			if (order.model !== undefined) checkScenes(order.model, model, (message) => fault(`${place}.model`, message));
			const fields = { ...usualFields(model, profile), ...order.fields };
			checkFields(fields, model, (option, message) => fault(`${place}.fields.${option}`, message));
			return { ...served, serving: { ...order, fields } };
		});
		const { header, before } = profile.auth;
		const caller = createServiceCaller({
			// Operators may copy a URL with the prefix of the profile's paths.
			url: given.url.replace(/\/api\/v\d+\/*$/, ""),
			headers: { [header]: before + secret, accept: "application/json" },
			timeoutMs: CALL_TIMEOUT_MS,
			clock,
		});
		const download = downloadFor(caller.origin);
		return createJobEngine({ ...entry, models }, { isPaid: true, clock, logger }, (task, { model, serving: order }) =>
			mediaServiceJob(
				{ name, profile, caller, download, logger },
				{ ...order, model, named: order.model ?? model.id },
				task,
			),
		);
	},
};

/** Maps options to the service's fields. */
function usualFields(model: Model, { orderPlaces, optionNames }: MediaProfile): OrderFields {
	const placeOf = (option: string): string =>
		[orderPlaces.options, optionNames[option] ?? option].filter((name) => name !== "").join(".");
	return Object.fromEntries(
		Object.entries(model.options).map(([option, { type }]) => [
			option,
			type === "array" ? { field: placeOf(option), as: "list" as const } : placeOf(option),
		]),
	);
}
