/** The state of the page: the reader, the path, and short notices. */
import { batch, computed, effect, signal } from "@preact/signals";
import type { Session } from "../../src/schemas/session.ts";
import { ApiError, isLoggedOut } from "./api-error.ts";
import { createApi, readMessages } from "./api.ts";
import { keepDrafts, takeDrafts, type Drafts } from "./kept-drafts.ts";
import { createFormats, createTranslate, formatLocale } from "./language.ts";
import { createServerContext, type ServerContext } from "./server-context.ts";
import { isOwnPath, loginErrorIn, parseRoute } from "./routes.ts";

export type App = Awaited<ReturnType<typeof createApp>>;

interface NoticeKind {
	readonly isError: boolean;
	/** False for texts of the page, whose names may contain characters of Discord's markup. */
	readonly hasMarkup: boolean;
}

interface Notice extends NoticeKind {
	readonly id: number;
	readonly text: string;
}

const NOTICE_MS = 8_000;
/** A return to the tab renews the session at most this often, because the bot then asks Discord about all servers of the reader. */
const SESSION_FRESH_MS = 5 * 60_000;
const fetch = globalThis.fetch.bind(globalThis);
/** Throws if the reader blocks storage. */
const tabStorage = (): Storage => sessionStorage;

/** Reads the session and the messages. Throws if there are no messages: then the page has no text. */
export async function createApp() {
	const session = signal<Session | null>(null);
	/** The reader of the open pages, also after their session has ended. */
	let reader: Session["user"] | null = null;
	/** True when the session of a logged-in reader has ended. */
	const hasSessionEnded = signal(false);
	const startError = signal<unknown>(null);
	const path = signal(location.pathname);
	const notices = signal<readonly Notice[]>([]);
	/** Counts the returns of the reader to this tab, after each of which the pages read again. */
	const tabReturns = signal(0);
	const servers = new Map<string, ServerContext>();
	/** True if the unsaved changes survive the login: the reader may leave the page for it. */
	let areDraftsKept = false;
	let noticeId = 0;

	const hasUnsaved = (): boolean => [...servers.values()].some((server) => server.hasUnsaved());

	/** `kept`: drafts from before the login. */
	const serverContext = (id: string, kept?: Drafts): ServerContext => {
		const known = servers.get(id) ?? createServerContext(call, id, kept);
		servers.set(id, known);
		return known;
	};

	let renewedAtMs = 0;
	let renewing: Promise<boolean> | undefined;
	/** Resolves to false if another user has logged in, for whom the page is loaded again. Concurrent callers share one renewal. */
	const renewSession = (): Promise<boolean> => (renewing ??= adoptSession().finally(() => (renewing = undefined)));
	const adoptSession = async (): Promise<boolean> => {
		const renewed = await call("session");
		renewedAtMs = Date.now();
		if (reader && reader.id !== renewed.user.id) {
			location.reload();
			return false;
		}
		reader = renewed.user;
		// Also those of servers that the reader does not open, which another end of the session keeps again. After a login in another
		// tab, this page still has its changes.
		for (const [id, kept] of Object.entries(takeDrafts(tabStorage, reader.id))) serverContext(id, kept);
		// The pages of a server that Discord did not return stay open.
		const known = renewed.isListIncomplete ? (session.value?.servers ?? []) : [];
		const unread = known.filter(({ id }) => !renewed.servers.some((each) => each.id === id));
		batch(() => {
			session.value = { ...renewed, servers: [...renewed.servers, ...unread] };
			hasSessionEnded.value = false;
			startError.value = null;
		});
		return true;
	};

	const { call, download } = createApi({
		fetch,
		csrfToken: () => session.value?.csrfToken ?? "",
		renewSession,
		onLoggedOut: () => {
			batch(() => {
				hasSessionEnded.value ||= session.value !== null;
				session.value = null;
				startError.value = null;
				// A change may have failed: the reader must not miss that.
				notices.value = notices.value.filter(({ isError }) => isError);
			});
		},
	});

	const readSession = async (): Promise<void> => {
		try {
			await renewSession();
		} catch (error) {
			if (session.value) notifyError(error);
			else if (!isLoggedOut(error)) startError.value = error;
		}
	};
	const [{ locale, messages }] = await Promise.all([readMessages(fetch), readSession()]);
	const tag = formatLocale(session.value?.locale ?? navigator.language, locale);
	const t = createTranslate(messages, tag);
	document.documentElement.lang = locale;

	// The reader whose session has ended logs in again, and finds the changes after that. A late response may still change them.
	effect(() => {
		areDraftsKept = false;
		if (session.value !== null || !reader || !hasUnsaved()) return;
		const unsaved = [...servers].filter(([, server]) => server.hasUnsaved());
		const drafts = Object.fromEntries(unsaved.map(([id, server]) => [id, server.draftsToKeep()] as const));
		areDraftsKept = keepDrafts(tabStorage, reader.id, drafts);
	});
	addEventListener("popstate", () => (path.value = location.pathname));
	addEventListener("beforeunload", (event) => {
		if (hasUnsaved() && !areDraftsKept) event.preventDefault();
	});
	/** Reads the session, unless it is fresh, and then the open pages. */
	const readAgain = async (): Promise<void> => {
		if (document.visibilityState !== "visible" || !reader) return;
		if (session.value === null || Date.now() - renewedAtMs >= SESSION_FRESH_MS) {
			// The pages show an error when they read again.
			const isSameReader = await renewSession().catch(() => true);
			if (!isSameReader) return;
		}
		tabReturns.value += 1;
	};
	addEventListener("visibilitychange", () => void readAgain());

	/** Shows a text of the page, or of the bot with Discord's markup. Errors stay until they are dismissed. Returns the id. */
	const notify = (text: string, { isError = false, hasMarkup = isError }: Partial<NoticeKind> = {}): number => {
		const id = ++noticeId;
		// A repeated error is shown once.
		const others = notices.value.filter((each) => !isError || each.text !== text);
		notices.value = [...others, { id, text, isError, hasMarkup }];
		if (!isError) setTimeout(() => (notices.value = notices.value.filter((each) => each.id !== id)), NOTICE_MS);
		return id;
	};

	/** Returns the text of the bot's error, with Discord's markup; a general one if the bot gave none. */
	const errorText = (error: unknown): string => {
		if (!(error instanceof ApiError)) return t("dashboard.errorUnexpected");
		if (error.code === "no_answer") return t("dashboard.errorNoAnswer");
		return error.message || t(error.status === 403 ? "dashboard.denied" : "dashboard.errorUnexpected");
	};

	const notifyError = (error: unknown): void => {
		// The login page says that the session has ended.
		if (!isLoggedOut(error)) notify(errorText(error), { isError: true });
	};

	const loginError = loginErrorIn(location.search);
	// Without a session, the login page shows it.
	if (loginError && session.value) notify(t("dashboard.loginError", { reason: loginError }), { isError: true });

	return {
		session,
		hasSessionEnded,
		startError,
		readSession,
		loginError,
		path,
		route: computed(() => parseRoute(path.value)),
		notices,
		tabReturns,
		hasUnsaved,
		call,
		download,
		t,
		formats: createFormats(tag),
		/** Opens a page whose link was clicked, without loading the document again. */
		onClick: (event: MouseEvent): void => {
			const link = event.target instanceof Element ? event.target.closest("a") : null;
			const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
			if (!link || !isPlain || link.target !== "" || link.hasAttribute("download") || link.hash !== "") return;
			if (link.origin !== location.origin || !isOwnPath(link.pathname)) return;
			event.preventDefault();
			if (link.pathname !== location.pathname) history.pushState(null, "", link.pathname);
			path.value = link.pathname;
			scrollTo({ top: 0 });
		},
		notify,
		notifyError,
		dismiss: (id: number): void => {
			notices.value = notices.value.filter((each) => each.id !== id);
		},
		errorText,
		serverContext,
		logOut: async (): Promise<void> => {
			await call("logOut");
			reader = null;
			batch(() => {
				hasSessionEnded.value = false;
				session.value = null;
			});
			servers.clear();
		},
	};
}
