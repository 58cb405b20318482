/** Splits a text of Discord into parts that the page can show. Pure. */

export type TextPart =
	| { readonly type: "text"; readonly text: string; readonly isBold: boolean }
	| { readonly type: "member" | "role" | "channel"; readonly id: string }
	| { readonly type: "time"; readonly atMs: number };

const PART =
	/\\(?<escaped>[^\w\s])|(?<bold>\*\*)|<@&(?<role>\d+)>|<@!?(?<member>\d+)>|<#(?<channel>\d+)>|<t:(?<time>\d+)(?::\w)?>/g;

/** Knows mentions, timestamps, bold text and escaped characters; everything else stays text. */
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
		const { escaped, bold, role, member, channel, time } = match.groups ?? {};
		if (escaped !== undefined) {
			pending += escaped;
			continue;
		}
		flush();
		if (bold !== undefined) isBold = !isBold;
		else if (role !== undefined) parts.push({ type: "role", id: role });
		else if (member !== undefined) parts.push({ type: "member", id: member });
		else if (channel !== undefined) parts.push({ type: "channel", id: channel });
		else if (time !== undefined) parts.push({ type: "time", atMs: Number(time) * 1000 });
	}
	pending += text.slice(end);
	flush();
	return parts;
}
