/** Splits a text of Discord into parts that the page can show. Pure. */

export type TextPart =
	| { readonly type: "text"; readonly text: string; readonly isBold: boolean }
	| { readonly type: "code"; readonly text: string }
	| { readonly type: "member" | "role" | "channel"; readonly id: string }
	| { readonly type: "time"; readonly atMs: number; readonly isRelative: boolean };

/** A time of more digits may be beyond what a date can hold. */
const PART =
	/\\(?<escaped>[^\p{L}\p{N}\s])|(?<bold>\*\*)|`(?<code>[^`]+)`|<@&(?<role>\d+)>|<@!?(?<member>\d+)>|<#(?<channel>\d+)>|<t:(?<time>\d{1,12})(?::(?<style>\w))?>/gu;

/** Knows mentions, timestamps, inline code, bold text and escaped characters; everything else stays text. */
export function parseMentions(text: string): readonly TextPart[] {
	const parts: TextPart[] = [];
	let pending = "";
	let isBold = false;
	let end = 0;
	const flush = (): void => {
		if (pending !== "") parts.push({ type: "text", text: pending, isBold });
		pending = "";
	};
	for (const match of text.matchAll(PART)) {
		pending += text.slice(end, match.index);
		end = match.index + match[0].length;
		const { escaped, bold, code, role, member, channel, time, style } = match.groups ?? {};
		if (escaped !== undefined) {
			pending += escaped;
			continue;
		}
		flush();
		if (bold !== undefined) isBold = !isBold;
		else if (code !== undefined) parts.push({ type: "code", text: code });
		else if (role !== undefined) parts.push({ type: "role", id: role });
		else if (member !== undefined) parts.push({ type: "member", id: member });
		else if (channel !== undefined) parts.push({ type: "channel", id: channel });
		else if (time !== undefined) parts.push({ type: "time", atMs: Number(time) * 1000, isRelative: style === "R" });
	}
	pending += text.slice(end);
	flush();
	return parts;
}
