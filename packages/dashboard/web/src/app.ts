/** The state of the page: the reader, the path, and short notices. */
import { batch, computed, signal } from "@preact/signals";
import type { z } from "zod";
import type { Session as SessionSchema } from "../../src/schemas.ts";
import { ApiError } from "./api-error.ts";
import { createCall, readMessages } from "./api.ts";
import { createFormats, createTranslate, formatLocale } from "./language.ts";
import { createServerContext, type ServerContext } from "./server-context.ts";
import { isOwnPath, loginErrorIn, parseRoute } from "./routes.ts";

export type Session = z.infer<typeof SessionSchema>;
export type App = Awaited<ReturnType<typeof createApp>>;

interface Notice {
	readonly id: number;
	readonly text: string;
	readonly isError: boolean;
}

const NOTICE_MS = 8_000;
const fetch = globalThis.fetch.bind(globalThis);

/** Reads the session and the messages. Throws if there are no messages: then the page has no text. */
export async function createApp() {
	const session = signal<Session | null>(null);
	/** True when the session of a logged-in reader has ended. */
	const hasEnded = signal(false);
	const startError = signal<unknown>(null);
	const path = signal(location.pathname);
	const notices = signal<readonly Notice[]>([]);
	const servers = new Map<string, ServerContext>();
	let noticeId = 0;

	const call = createCall({
		fetch,
		csrfToken: () => session.value?.csrfToken ?? "",
		onLoggedOut: () =>
			batch(() => {
				hasEnded.value = session.value !== null;
				session.value = null;
			}),
	});

	const readSession = async (): Promise<void> => {
		startError.value = null;
		try {
			session.value = await call("session");
		} catch (error) {
			if (!(error instanceof ApiError && error.status === 401)) startError.value = error;
		}
	};
	await readSession();
	const reader = session.value?.locale ?? navigator.language;
	const { locale, messages } = await readMessages(fetch, reader);
	const tag = formatLocale(reader, locale);
	const t = createTranslate(messages, tag);
	document.documentElement.lang = locale;

	addEventListener("popstate", () => (path.value = location.pathname));
	addEventListener("beforeunload", (event) => {
		if ([...servers.values()].some(({ settings }) => settings.changes.value.length > 0)) event.preventDefault();
	});

	return {
		session,
		hasEnded,
		startError,
		readSession,
		loginError: loginErrorIn(location.search),
		path,
		route: computed(() => parseRoute(path.value)),
		notices,
		call,
		t,
		formats: createFormats(tag),
		navigate: (to: string): void => {
			if (to !== location.pathname) history.pushState(null, "", to);
			path.value = to;
			scrollTo({ top: 0 });
		},
		/** Returns the path of a clicked link to a page, which opens without loading the document again; `null` for other clicks. */
		onLinkClick: (event: MouseEvent): string | null => {
			const link = event.target instanceof Element ? event.target.closest("a") : null;
			const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
			if (!link || !isPlain || link.target !== "" || link.hasAttribute("download") || link.hash !== "") return null;
			const isOwn = link.origin === location.origin && isOwnPath(link.pathname);
			if (isOwn) event.preventDefault();
			return isOwn ? link.pathname : null;
		},
		notify: (text: string, isError = false): void => {
			const id = ++noticeId;
			notices.value = [...notices.value, { id, text, isError }];
			setTimeout(() => (notices.value = notices.value.filter((each) => each.id !== id)), NOTICE_MS);
		},
		dismiss: (id: number): void => {
			notices.value = notices.value.filter((each) => each.id !== id);
		},
		/** The text of the bot's error; a general one if the bot gave none. */
		errorText: (error: unknown): string => {
			if (!(error instanceof ApiError)) return t("dashboard.errorUnexpected");
			if (error.status === null) return t("dashboard.errorNoAnswer");
			return error.message || t(error.status === 403 ? "dashboard.denied" : "dashboard.errorUnexpected");
		},
		serverContext: (id: string): ServerContext => {
			const known = servers.get(id) ?? createServerContext(call, id);
			servers.set(id, known);
			return known;
		},
		logOut: async (): Promise<void> => {
			await call("logOut");
			batch(() => {
				hasEnded.value = false;
				session.value = null;
			});
			servers.clear();
		},
	};
}
