/** Unicode emoji, and the custom ones of guilds. Paths and documents name a custom emoji `name:id`. */
import type { APIEmoji, APIPartialEmoji } from "discord-api-types/v10";
import type { ImageData } from "../media/image-data.ts";
import type { Attachments } from "./attachments.ts";
import type { CustomEmoji } from "./documents.ts";
import type { Members } from "./members.ts";
import type { SimulatedGuild } from "./seed-from-fixture.ts";
import type { Core } from "./simulator-state.ts";

/** Makes a character an emoji that is text by default. Clients send some emoji without it. */
const EMOJI_STYLE = "\u{FE0F}";
/** Discord also has the letters from which flags are composed. */
const UNICODE = /^(?:\p{RGI_Emoji}|[\u{1F1E6}-\u{1F1FF}])$/v;
const CUSTOM = /^(?:a:)?(\w+):(\d{17,20})$/;

export function isUnicodeEmoji(text: string): boolean {
	return UNICODE.test(text) || UNICODE.test(`${text}${EMOJI_STYLE}`);
}

/** Returns whether both name the same emoji, of which a custom one may have another name by now. */
export function isSameEmoji(one: string, other: string): boolean {
	return identityOf(one) === identityOf(other);
}

function identityOf(text: string): string {
	return CUSTOM.exec(text)?.[2] ?? text.replaceAll(EMOJI_STYLE, "");
}

export type Emojis = ReturnType<typeof createEmojis>;

export function createEmojis(
	{ events, tables: { emojis: records } }: Core,
	{ attachments, members }: { attachments: Attachments; members: Members },
) {
	function set(emoji: CustomEmoji): CustomEmoji {
		records.set(emoji.id, emoji);
		events.emit({ type: "emojis", guildId: emoji.guildId });
		return emoji;
	}

	return {
		inGuild: ({ id }: Pick<SimulatedGuild, "id">): readonly CustomEmoji[] =>
			[...records.values()].filter(({ guildId }) => guildId === id),
		find: (id: string): CustomEmoji | undefined => records.get(id),
		/** The caller checks the name, the limit and the permissions. */
		async create(
			{ id: guildId }: SimulatedGuild,
			{ name, image, roleIds }: Pick<CustomEmoji, "name" | "roleIds"> & { readonly image: ImageData },
		): Promise<CustomEmoji> {
			const { id } = await attachments.add({ filename: `${name}.${image.ending}`, bytes: image.bytes }, null);
			return set({ id, guildId, name, roleIds, isAnimated: image.ending === "gif" });
		},
		edit: (emoji: CustomEmoji, changes: Partial<Pick<CustomEmoji, "name" | "roleIds">>): CustomEmoji =>
			set({ ...emoji, ...changes }),
		remove({ id, guildId }: CustomEmoji): void {
			records.delete(id);
			attachments.remove([id]);
			events.emit({ type: "emojis", guildId });
		},
		/** Returns the emoji as documents name it; `undefined` if there is none. */
		resolve(text: string): string | undefined {
			if (isUnicodeEmoji(text)) return text;
			const found = records.get(CUSTOM.exec(text)?.[2] ?? "");
			return found && `${found.name}:${found.id}`;
		},
		/** The object of an emoji in reactions and polls. */
		toPartial(text: string): APIPartialEmoji {
			const [, name = "", id = ""] = CUSTOM.exec(text) ?? [];
			if (id === "") return { id: null, name: text };
			return { id, name, ...(records.get(id)?.isAnimated && { animated: true }) };
		},
		serialize: ({ id, name, isAnimated, roleIds }: CustomEmoji): APIEmoji => ({
			id,
			name,
			roles: [...roleIds],
			user: members.bot,
			require_colons: true,
			managed: false,
			animated: isAnimated,
			available: true,
		}),
	};
}
