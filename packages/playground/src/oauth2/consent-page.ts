/** The HTML of the consent page and of its errors. It has no scripts. */
import type { Scope } from "../simulator/documents.ts";

export const STYLESHEET_PATH = "/oauth2/consent.css";

const SCOPE_TEXTS: { readonly [scope in Scope]: string } = {
	identify: "Your name and your language",
	guilds: "The servers that you are in, and your permissions there",
};

export interface ConsentUser {
	readonly id: string;
	readonly username: string;
	readonly displayName: string;
	/** The roles in each guild. */
	readonly guilds: readonly { readonly name: string; readonly roles: string }[];
}

export interface Consent {
	readonly application: string;
	readonly users: readonly ConsentUser[];
	readonly scopes: readonly Scope[];
	readonly redirectUri: string;
}

export function consentPage({ application, users, scopes, redirectUri }: Consent): string {
	return page(
		`Log in to ${application}`,
		`<p>Choose who you are. ${escapeHtml(application)} will see:</p>
		<ul>${scopes.map((scope) => `<li>${SCOPE_TEXTS[scope]}</li>`).join("")}</ul>
		<form method="post">
			${users.map(userButton).join("")}
			<button name="cancel" value="true">Cancel</button>
		</form>
		<p>You will return to <code>${escapeHtml(redirectUri)}</code></p>`,
	);
}

export function errorPage(message: string): string {
	const problems = message.split("\n").map((problem) => `<li>${escapeHtml(problem)}</li>`);
	return page(
		"This login cannot start",
		`<p>The application sent a request that is not valid:</p>
		<ul>${problems.join("")}</ul>
		<p>Nothing was sent back to the application.</p>`,
	);
}

function userButton({ id, username, displayName, guilds }: ConsentUser): string {
	const roles = guilds.map(
		(guild) => `<span class="roles">${escapeHtml(guild.name)}: ${escapeHtml(guild.roles)}</span>`,
	);
	return `<button name="user" value="${escapeHtml(id)}">
		Continue as <b>${escapeHtml(displayName)}</b> @${escapeHtml(username)} ${roles.join(" ")}
	</button>`;
}

function page(title: string, main: string): string {
	return `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8" />
		<meta name="viewport" content="width=device-width, initial-scale=1" />
		<meta name="color-scheme" content="dark light" />
		<title>${escapeHtml(title)} – Playground</title>
		<link rel="icon" href="/icon.svg" type="image/svg+xml" />
		<link rel="stylesheet" href="${STYLESHEET_PATH}" />
	</head>
	<body>
		<main>
			<p class="notice"><b>This is the playground, not Discord.</b> It needs no account and no password.</p>
			<h1>${escapeHtml(title)}</h1>
			${main}
		</main>
	</body>
</html>
`;
}

const ENTITIES: { readonly [character: string]: string } = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&#39;",
};

function escapeHtml(text: string): string {
	return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
