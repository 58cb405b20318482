/** Chooses the page for the path, and shows notices. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { OpenServer, useApp } from "./app-context.ts";
import { Avatar } from "./avatar.tsx";
import { PageHead } from "./card.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Icon } from "./icon.tsx";
import { LoginPage } from "./login-page.tsx";
import { MentionText } from "./mention-text.tsx";
import { AuditPage } from "./pages/audit-page.tsx";
import { CreditsPage } from "./pages/credits-page.tsx";
import { OperatorView } from "./operator/operator-view.tsx";
import { JobsPage } from "./pages/jobs-page.tsx";
import { KeysPage } from "./pages/keys-page.tsx";
import { LimitsPage } from "./pages/limits-page.tsx";
import { MePage } from "./pages/me-page.tsx";
import { ModerationPage } from "./pages/moderation-page.tsx";
import { OverviewPage } from "./pages/overview-page.tsx";
import { ReportsPage } from "./pages/reports-page.tsx";
import { SettingsPage } from "./pages/settings-page.tsx";
import { UsagePage } from "./pages/usage-page.tsx";
import { Failure } from "./load-data.tsx";
import { loginPath, pagesFor, pathOf, type PageName } from "./routes.ts";
import { SaveBar } from "./save-bar.tsx";
import { ServersPage, UnreadServers } from "./servers-page.tsx";
import { BrandAndAccount, Shell } from "./shell.tsx";

const PAGES = {
	overview: OverviewPage,
	usage: UsagePage,
	limits: LimitsPage,
	credits: CreditsPage,
	jobs: JobsPage,
	reports: ReportsPage,
	moderation: ModerationPage,
	settings: SettingsPage,
	keys: KeysPage,
	audit: AuditPage,
	me: MePage,
} as const satisfies Record<PageName, unknown>;

export function Layout() {
	const { t, onClick, path, route, session, serverContext } = useApp();
	const serverId = session.value && route.value.view === "server" ? route.value.serverId : null;
	const isFirst = useRef(true);
	useEffect(() => {
		// Screen readers continue at the new page, as after loading a document.
		if (!isFirst.current) document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
		isFirst.current = false;
	}, [path.value]);
	return (
		<OpenServer.Provider value={serverId === null ? null : serverContext(serverId)}>
			<div onClick={onClick}>
				<a class="skip" href="#main">
					{t("dashboard.skip")}
				</a>
				<Content />
				<Notices />
			</div>
		</OpenServer.Provider>
	);
}

function Content() {
	const { t, session, startError, readSession, route } = useApp();
	if (!session.value)
		return startError.value === null ? (
			<LoginPage />
		) : (
			<main id="main" class="narrow">
				<h1 class="sr-only">{t("dashboard.title")}</h1>
				<Failure error={startError.value} retry={readSession} />
			</main>
		);
	if (route.value.view === "server") return <ServerView key={route.value.serverId} {...route.value} />;
	if (route.value.view === "operator" && session.value.operator) return <OperatorView {...route.value} />;
	return (
		<>
			<header class="top">
				<BrandAndAccount />
			</header>
			<main id="main" class="narrow">
				{route.value.view === "servers" ? (
					<ErrorBoundary title={t("dashboard.servers")}>
						<ServersPage />
					</ErrorBoundary>
				) : (
					<MessagePage title={t("dashboard.missingTitle")} text={t("dashboard.missing")} />
				)}
			</main>
		</>
	);
}

interface ServerViewProps {
	readonly serverId: string;
	readonly page: PageName | null;
}

function ServerView({ serverId, page }: ServerViewProps) {
	const { t, session, path } = useApp();
	const server = session.value?.servers.find(({ id }) => id === serverId);
	const pages = pagesFor(server?.access ?? "member");
	const open = page ?? pages[0];
	const isDenied = !server || !pages.includes(open);
	const Page = PAGES[open];
	const heading = server && (
		<p class="side-server row">
			<Avatar name={server.name} url={server.iconUrl} isSquare />
			<span class="ellipsis">{server.name}</span>
		</p>
	);
	const links = pages.map((name) => ({
		href: pathOf(serverId, name),
		icon: name,
		text: t("dashboard.page", { page: name }),
		isOpen: name === open,
	}));
	return (
		<Shell heading={heading} links={links}>
			<main id="main">
				{!isDenied ? (
					<ErrorBoundary key={open} title={t("dashboard.page", { page: open })}>
						<Page />
					</ErrorBoundary>
				) : !server && session.value?.isListIncomplete ? (
					<>
						<h1 class="sr-only">{t("dashboard.title")}</h1>
						<UnreadServers />
					</>
				) : (
					<MessagePage title={t("dashboard.deniedTitle")} text={t("dashboard.denied")}>
						{/* Servers that the reader joined later are known after another log-in. */}
						{!server && (
							<a class="button" href={loginPath(path.value)}>
								{t("dashboard.logInAgain")}
							</a>
						)}
					</MessagePage>
				)}
			</main>
			<SaveBar />
		</Shell>
	);
}

interface MessagePageProps {
	readonly title: string;
	readonly text: string;
	/** Links beside the one to the list of servers. */
	readonly children?: ComponentChildren;
}

/** A page with one message, such as a refusal. */
function MessagePage({ title, text, children }: MessagePageProps) {
	const { t } = useApp();
	return (
		<>
			<PageHead title={title} />
			<div class="stack">
				<p class="lead">{text}</p>
				<p class="page-tools">
					<a class="button" href="/dashboard/">
						{t("dashboard.allServers")}
					</a>
					{children}
				</p>
			</div>
		</>
	);
}

function Notices() {
	const { t, notices, dismiss } = useApp();
	const list = (isError: boolean): ComponentChildren =>
		notices.value
			.filter((notice) => notice.isError === isError)
			.map(({ id, text, hasMarkup }) => (
				<p key={id} class={`notice row ${isError ? "danger" : ""}`}>
					<Icon name={isError ? "alert" : "check"} />
					{hasMarkup ? <MentionText text={text} /> : <span class="mention-text">{text}</span>}
					<button type="button" class="icon-button" aria-label={t("dashboard.close")} onClick={() => dismiss(id)}>
						<Icon name="close" />
					</button>
				</p>
			));
	return (
		<div class="notices">
			<div role="status">{list(false)}</div>
			<div role="alert">{list(true)}</div>
		</div>
	);
}
