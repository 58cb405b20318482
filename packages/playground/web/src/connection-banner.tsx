/** Says that the playground does not answer, or that the bot is offline or not in the open guild. */
import { useApp } from "./app-context.ts";
import { userName } from "./display-names.ts";
import { Icon } from "./icon.tsx";
import type { App } from "./app.ts";

export function ConnectionBanner() {
	const text = bannerText(useApp());
	return (
		<p class="banner" role="status" hidden={text === ""}>
			{text !== "" && <Icon name="moon" />}
			{text}
		</p>
	);
}

function bannerText({ state, isBannerDue }: App): string {
	const page = state.page.value;
	if (state.connection.value === "lost" && isBannerDue.value)
		return "The playground is not answering. This page keeps trying and will catch up.";
	if (!page || state.connection.value !== "live") return "";
	const bot = userName(page.bot.user);
	if (!state.hasBot.value) return `${bot} is not in this server, and neither are its commands.`;
	return page.bot.online ? "" : `${bot} is offline. It continues where it stopped once it is back.`;
}
