/** The alerts and Grafana's dashboard use only metrics that a running Atelier exports. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { isFinalReply } from "../../src/discord/find-posted-reply.ts";
import { openAtelier } from "../e2e/start-atelier.ts";
import { createFakeEngine } from "@atelier/studio/testing/fake-engine";
import { metricOf, readExposition, type Scraped } from "./exposition.ts";
import { readExpression, type Selector } from "./promql.ts";

interface Alert {
	readonly alert: string;
	readonly expr: string;
	readonly labels: { readonly severity: string };
	readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
	readonly title: string;
	readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

/** A query of an alert or a panel, with the labels that its text mentions. */
interface Query {
	readonly source: string;
	readonly expression: string;
	readonly mentionedLabels: readonly string[];
}

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

async function readAlerts(): Promise<readonly Alert[]> {
	const rules = parse(await read("ops/prometheus/alerts.yml")) as { readonly groups: { readonly rules: Alert[] }[] };
	return rules.groups.flatMap((group) => group.rules);
}

async function readPanels(): Promise<readonly Panel[]> {
	return (JSON.parse(await read("ops/grafana/atelier.json")) as { readonly panels: readonly Panel[] }).panels;
}

async function readQueries(): Promise<readonly Query[]> {
	const ofAlerts = (await readAlerts()).map(({ alert, expr, annotations }) => ({
		source: alert,
		expression: expr,
		mentionedLabels: [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label),
	}));
	const ofPanels = (await readPanels()).flatMap(({ title, targets = [] }) =>
		targets.map(({ expr, legendFormat }) => ({
			source: title,
			expression: expr,
			mentionedLabels: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label),
		})),
	);
	return [...ofAlerts, ...ofPanels];
}

/** Labels that Prometheus adds to every sample. */
const PROMETHEUS_LABELS = ["instance", "job"];

/** Returns the problems of a query with the exported metrics. */
function problemsOf({ source, expression, mentionedLabels }: Query, scraped: Scraped): readonly string[] {
	const selectors = readExpression(expression).filter(({ metric }) => metric !== "up");
	const problems = selectors.flatMap((selector) => problemsOfSelector(selector, scraped));
	const isAggregated = selectors.some(({ keptLabels }) => keptLabels.length > 0);
	const shown = selectors.flatMap(({ metric, keptLabels }) =>
		isAggregated ? keptLabels : [...labelsOf(metric, scraped)],
	);
	const unknownLabels = mentionedLabels.filter(
		(label) => !shown.includes(label) && !(label === "instance" && !isAggregated),
	);
	return [...problems, ...unknownLabels.map((label) => `its text names ${label}, which the query does not return`)].map(
		(problem) => `${source}: ${problem}`,
	);
}

function problemsOfSelector(
	{ metric, matchers, functions, keptLabels }: Selector,
	scraped: Scraped,
): readonly string[] {
	const owner = metricOf(scraped, metric);
	if (owner === undefined) return [`${metric} is not exported`];
	const known = [...labelsOf(metric, scraped), ...PROMETHEUS_LABELS];
	const isCounted = scraped.types.get(owner) !== "gauge";
	const isRate = functions.some((name) => name === "rate" || name === "increase");
	const isQuantile = functions.includes("histogram_quantile");
	return [
		...[...matchers.map(({ label }) => label), ...keptLabels]
			.filter((label) => !known.includes(label))
			.map((label) => `${metric} has no label ${label}`),
		...matchers
			.filter(({ label, value }) => known.includes(label) && !value.startsWith("$"))
			.flatMap(({ label, value }) => value.split("|").map((each) => [label, each] as const))
			.filter(([label, value]) => !PROMETHEUS_LABELS.includes(label) && !valuesOf(metric, label, scraped).has(value))
			.map(([label, value]) => `${metric} never has ${label}="${value}"`),
		...(isRate && !isCounted ? [`${metric} is not a counter, so it has no rate`] : []),
		...(isQuantile && !(metric.endsWith("_bucket") && keptLabels.includes("le"))
			? [`a quantile needs the buckets of ${metric}, by le`]
			: []),
	];
}

function labelsOf(metric: string, { labels }: Scraped): readonly string[] {
	return [...(labels.get(metric)?.keys() ?? [])];
}

function valuesOf(metric: string, label: string, { labels }: Scraped): ReadonlySet<string> {
	return labels.get(metric)?.get(label) ?? new Set();
}

/** A process with a finished, a failed and a running image task. */
async function scrapeAtWork(): Promise<Scraped> {
	const engine = createFakeEngine();
	engine.script.push({ kind: "succeed" }, { kind: "fail", retryable: false }, { kind: "hang" });
	const { atelier, userClient } = await openAtelier({ engine });
	for (const prompt of ["a fox", "an owl"]) {
		const reply = await userClient.type("/image", { prompt });
		await reply.until(isFinalReply);
	}
	await userClient.type("/image", { prompt: "a boat" });
	const scrape = async (): Promise<string> => (await fetch(`${atelier.origin}/metrics`)).text();
	await expect.poll(scrape).toContain('atelier_tasks_pending{state="submitted"');
	return readExposition(await scrape());
}

test("every metric and label of the alerts and Grafana's dashboard is exported, and each own metric is used there", async () => {
	const queries = await readQueries();
	expect(queries.length).toBeGreaterThan(50);
	const scraped = await scrapeAtWork();
	expect(queries.flatMap((query) => problemsOf(query, scraped))).toStrictEqual([]);
	const queriedMetrics = queries.flatMap(({ expression }) => readExpression(expression).map(({ metric }) => metric));
	const unused = [...scraped.types.keys()].filter((name) => !queriedMetrics.some((metric) => metric.startsWith(name)));
	// The default metrics of every process need no panel.
	expect(unused.filter((name) => !/^atelier_(process|nodejs)_/.test(name))).toStrictEqual([]);
});
