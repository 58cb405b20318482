/** Lists what the forms of the pages offer: roles, channels, members, models with their options, languages and time zones. */
import { MEDIA_TYPES, type Model } from "@atelier/media-protocol/model";
import { MEMBERS_FOUND_MAX } from "@atelier/dashboard/limits";
import { workThrough } from "../work-through.ts";
import type { StyleOption } from "@atelier/dashboard/schemas/directory";
import type { Members } from "@atelier/dashboard/schemas/members";
import { DirectoryUnavailableError, type GuildDirectory } from "../../../services/access/guild-directory.ts";
import { choicesOf, takesPrompt } from "../../../services/generation/request.ts";
import { STYLE_OPTIONS } from "@atelier/dashboard/server-settings";
import { knownTimeZones } from "../../../services/credits/time-zones.ts";
import { LANGUAGES } from "../../../i18n/languages.ts";
import { NEGATIVE_PROMPT_CHARS_MAX } from "../../../services/settings/guild-settings.ts";
import type { Handlers } from "../api-request.ts";
import type { DeepReadonly } from "@atelier/common/deep-readonly";

/** The maximum of a number without one in the model's schema: a day, if the number is a duration in seconds. */
const NUMBER_MAX = 86_400;

/** The limit of Discord's requests is shared by all readers. */
const MEMBERS_AT_ONCE = 5;

type Member = Members["members"][number];

export const directoryHandlers = {
	async directory({ params: { server } }, { directory, catalog, settingsService: { provided } }) {
		const guild = await directory.readGuild(server);
		return {
			roles: (guild?.roles ?? []).flatMap(({ id, name }) => (id === server ? [] : [{ id, name }])),
			channels: guild?.channels ?? [],
			models: MEDIA_TYPES.flatMap((mediaType) =>
				catalog.known(mediaType).map((model) => ({
					id: model.id,
					name: model.name,
					mediaType,
					styleOptions: takesPrompt(model) ? styleOptionsOf(model) : null,
				})),
			),
			languages: Object.entries(LANGUAGES).map(([code, name]) => ({ code, name })),
			timeZones: knownTimeZones(),
			hasModeration: provided.moderation,
			hasImprover: provided.improver,
		};
	},

	async memberNames({ params: { server }, query: { ids } }, { directory }) {
		const { members, unavailable } = await readMembers(server, ids.split(","), directory);
		if (unavailable && members.length === 0) throw unavailable;
		return { members };
	},

	async searchMembers({ params: { server }, query: { name } }, { directory }) {
		const found = await directory.searchMembers(server, name, MEMBERS_FOUND_MAX);
		return {
			members: found.map(({ userId, ...member }) => ({ id: userId, ...member })),
		};
	},
} satisfies Partial<Handlers>;

/** Without an answer of Discord about one member, the others still have names. `unavailable`: the last failed read. */
export async function readMembers(
	guildId: string,
	userIds: readonly string[],
	directory: Pick<GuildDirectory, "readMember">,
): Promise<{ readonly members: readonly Member[]; readonly unavailable: DirectoryUnavailableError | undefined }> {
	const members: Member[] = [];
	let unavailable: DirectoryUnavailableError | undefined;
	await workThrough([...new Set(userIds)], MEMBERS_AT_ONCE, async (id) => {
		try {
			const member = await directory.readMember(guildId, id);
			members.push({ id, name: member?.name ?? id, avatarUrl: member?.avatarUrl ?? null });
		} catch (error) {
			if (!(error instanceof DirectoryUnavailableError)) throw error;
			unavailable = error;
		}
	});
	return { members, unavailable };
}

function styleOptionsOf(model: Model): readonly DeepReadonly<StyleOption>[] {
	return STYLE_OPTIONS.flatMap((name) => {
		const schema = model.options[name];
		return schema ? [{ name, ...valuesOf(model, name, schema) }] : [];
	});
}

function valuesOf(
	model: Model,
	name: string,
	schema: Model["options"][string],
): Omit<DeepReadonly<StyleOption>, "name"> {
	const choices = choicesOf(model, name, schema);
	if (choices) return { kind: "choice", choices, min: 0, max: 0 };
	if (schema.type === "boolean") return { kind: "switch", choices: [], min: 0, max: 0 };
	if (schema.type === "string") {
		const max = Math.min(schema.maxLength ?? NEGATIVE_PROMPT_CHARS_MAX, NEGATIVE_PROMPT_CHARS_MAX);
		return { kind: "text", choices: [], min: 1, max };
	}
	return { kind: "number", choices: [], min: schema.minimum ?? 1, max: schema.maximum ?? NUMBER_MAX };
}
