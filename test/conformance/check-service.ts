import { choiceRules } from "./choice-rules.ts";
import { documentRules } from "./document-rules.ts";
import type { CheckedRule, Rule, Verdict } from "./rule.ts";
import {
	LeftOpenError,
	NotOfferedError,
	NotReachableError,
	visit,
	type Service,
	type ServiceOptions,
} from "./service.ts";
import { specificationRules } from "./specification-rules.ts";

interface Judgment {
	readonly checked: readonly CheckedRule[];
	/** How many tasks the service took, which are paid. */
	readonly submittedTasks: number;
}

/** Holds a service against every rule that is asked, one after the other: what one leaves behind must not confuse the next. */
export async function judge(
	options: ServiceOptions,
	onChecked: (checked: CheckedRule) => void = () => {},
	isAsked: (rule: Rule) => boolean = () => true,
): Promise<Judgment> {
	const service = await visit(options);
	const checked: CheckedRule[] = [];
	for (const rule of [...specificationRules, ...documentRules(service), ...choiceRules]) {
		if (!isAsked(rule)) continue;
		const { source, about, title } = rule;
		const each = { source, about, title, verdict: await verdictOf(rule, service) };
		checked.push(each);
		onChecked(each);
	}
	return { checked, submittedTasks: service.submittedTasks() };
}

async function verdictOf({ check }: Rule, service: Service): Promise<Verdict> {
	try {
		await check(service);
		return { kind: "passed" };
	} catch (error) {
		// A service that is gone has not broken the rule that happened to be asked.
		if (error instanceof NotReachableError) await service.ask("GET", "/openapi.json");
		const why = error instanceof Error ? error.message : String(error);
		if (error instanceof LeftOpenError) return { kind: "noted", why };
		return error instanceof NotOfferedError ? { kind: "notOffered", why } : { kind: "failed", why };
	}
}
