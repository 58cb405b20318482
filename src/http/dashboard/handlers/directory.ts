import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { LANGUAGES } from "../../../services/settings/settings-changes.ts";
import type { Handlers } from "../api-request.ts";

export const directoryHandlers: Handlers<"directory"> = {
	async directory({ params: { server } }, { directory, catalog }) {
		const guild = await directory.readGuild(server);
		return {
			roles: (guild?.roles ?? []).flatMap(({ id, name }) => (id === server ? [] : [{ id, name }])),
			channels: [...(guild?.channels ?? [])],
			models: MEDIA_TYPES.flatMap((mediaType) =>
				catalog.known(mediaType).map(({ id, name }) => ({ id, name, mediaType })),
			),
			languages: Object.entries(LANGUAGES).map(([code, name]) => ({ code, name })),
			timeZones: Intl.supportedValuesOf("timeZone"),
		};
	},
};
