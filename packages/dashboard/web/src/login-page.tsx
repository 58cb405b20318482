/** The page of readers who are not logged in. */
import { useApp } from "./app-context.ts";
import { Callout, PageHead } from "./card.tsx";
import { loginPath } from "./routes.ts";

export function LoginPage() {
	const { t, path, loginError, hasSessionEnded } = useApp();
	const problem = hasSessionEnded.value
		? t("dashboard.sessionEnded")
		: loginError && t("dashboard.loginError", { reason: loginError });
	return (
		<main id="main" class="login">
			<span class="brand-mark large" aria-hidden="true" />
			<PageHead title={t("dashboard.title")} />
			<p class="lead">{t("dashboard.loginLead")}</p>
			{problem && (
				<div role="alert">
					<Callout kind={loginError === "canceled" || hasSessionEnded.value ? "info" : "danger"}>{problem}</Callout>
				</div>
			)}
			<a class="button primary large" href={loginPath(path.value)}>
				{t("dashboard.logIn")}
			</a>
		</main>
	);
}
