/** The parameters of messages. Written by npm run messages, from locales/en.json. */

/** `Text`: the type of a value that is inserted as it is. */
// oxfmt-ignore
export interface MessageParams<Text> {
	"mediaType.title": { mediaType: "image" | "video" | "music" };
	"button.reportAction": { action: "dismiss" | "delete" | "block" | "refund" };
	"credits.amount": { credits: number };
	"dashboard.page": { page: "overview" | "usage" | "limits" | "credits" | "jobs" | "reports" | "moderation" | "settings" | "audit" | "keys" | "me" };
	"dashboard.loginError": { reason: "canceled" | "state" | "discord_unavailable" | "rate_limited" | "unexpected" };
	"dashboard.access": { access: "manager" | "moderator" | "member" };
	"dashboard.addTo": { name: Text };
	"dashboard.listFull": { max: number };
	"dashboard.removeName": { name: Text };
	"dashboard.importTitle": { name: Text };
	"dashboard.importText": { count: number };
	"dashboard.importTooLarge": { sizeMaxKiB: number };
	"dashboard.mediumOne": { mediaType: "image" | "video" | "music" };
	"dashboard.membersFound": { count: number };
	"dashboard.creditsReserved": { credits: number };
	"dashboard.creditsRefill": { credits: number; date: Text };
	"dashboard.creditsExpire": { credits: number; date: Text };
	"dashboard.forecast": { credits: number };
	"dashboard.forecastOver": { credits: number; monthlyCredits: number };
	"dashboard.limitUsed": { usedCredits: number; limitCredits: number; per: "day" | "week" | "month" };
	"dashboard.limitResets": { time: Text };
	"dashboard.warning": { warning: "paused" | "service_down" | "month_80" | "month_100" | "server_limit_reached" };
	"dashboard.runningCount": { count: number };
	"dashboard.previewPlay": { name: Text };
	"dashboard.previewFiles": { count: number };
	"dashboard.jobAction": { action: "cancel" | "delete" | "refund" | "report" };
	"dashboard.jobConfirmTitle": { action: "cancel" | "delete" | "refund" | "report" };
	"dashboard.jobConfirm": { action: "cancel" | "delete" | "refund" | "report"; credits: number };
	"dashboard.reportState": { state: "open" | "closed" };
	"dashboard.reportsEmpty": { state: "open" | "closed" };
	"dashboard.reportConfirmTitle": { action: "dismiss" | "delete" | "block" | "refund" };
	"dashboard.reportConfirm": { action: "dismiss" | "delete" | "block" | "refund"; credits: number };
	"dashboard.reportDone": { action: "dismiss" | "delete" | "block" | "refund" };
	"dashboard.usageDays": { days: number };
	"dashboard.usageCompleteFrom": { date: Text };
	"dashboard.usageTimeZone": { timeZone: Text };
	"dashboard.usageDifference": { kind: "more" | "less" | "same" | "first"; percent: Text; days: number };
	"dashboard.chartDescription": { days: number; credits: number };
	"dashboard.otherMembers": { count: number };
	"dashboard.limitInvalid": { min: number; max: number };
	"dashboard.limitOf": { name: Text };
	"dashboard.mediaLimitsLead": { per: "day" | "week" | "month" };
	"dashboard.previewOver": { count: number; per: "day" | "week" | "month" };
	"dashboard.previewUnknown": { count: number };
	"dashboard.unsavedCount": { count: number };
	"dashboard.invalidFields": { count: number };
	"dashboard.creditsVerb": { kind: "grant" | "revoke" };
	"dashboard.lengthInvalid": { min: number; max: number };
	"dashboard.creditsChanged": { kind: "grant" | "revoke"; credits: number };
	"dashboard.entryKind": { kind: "grant" | "reserve" | "post" | "void" | "expire" | "adjust" };
	"dashboard.pauseVerb": { isPaused: boolean };
	"dashboard.pauseState": { isPaused: boolean };
	"dashboard.filterBlocked": { pattern: Text };
	"dashboard.blockedUntil": { date: Text };
	"dashboard.blockedAge": { age: Text };
	"dashboard.duration": { duration: "hour" | "day" | "week" | "month" | "ever" | "date" };
	"dashboard.blocked": { name: Text };
	"dashboard.unblockTitle": { name: Text };
	"dashboard.unblocked": { name: Text };
	"dashboard.resultSettingHint": { name: "private" | "spoiler" | "promptInFiles" | "improvePrompts" };
	"dashboard.accessLead": { list: "channels" | "roles" };
	"dashboard.accessRule": { rule: "allowed" | "denied" };
	"dashboard.defaultModel": { mediaType: "image" | "video" | "music" };
	"dashboard.styleOption": { option: "aspect_ratio" | "resolution" | "duration" | "negative_prompt" | "instrumental" | "n" };
	"dashboard.myMediaLimit": { mediaType: "image" | "video" | "music" };
	"dashboard.dataDeleted": { running: number };
	"dashboard.keyMissed": { name: Text };
	"dashboard.keyRevokeTitle": { name: Text };
	"dashboard.keyRevoked": { name: Text };
	"dashboard.byKey": { name: Text };
	"dashboard.changedVia": { via: "discord" | "dashboard" };
	"dashboard.operatorPage": { page: "servers" | "health" | "studio" };
	"dashboard.healthFact": { fact: "version" | "started" | "gateway" | "media" | "openTasks" | "overdue" | "lag" | "queue" | "audit" };
	"dashboard.healthState": { state: "up" | "degraded" | "down" };
	"dashboard.downSince": { time: Text };
	"dashboard.queueKind": { kind: "shared" | "own" };
	"dashboard.lagSeconds": { seconds: number };
	"dashboard.auditResult": { time: Text; findings: number; accounts: number };
	"dashboard.deliveryOutcome": { outcome: "delivered" | "undelivered" | "delayed" | "failed" };
	"dashboard.engineLoad": { running: number; slots: number };
	"dashboard.checkGrade": { grade: "ok" | "note" | "warn" | "fix" };
	"dashboard.keyCap": { credits: number; per: "day" | "week" | "month" | "ever" };
	"dashboard.keyState": { state: "good" | "expired" | "revoked" };
}

/** Messages without parameters. */
// oxfmt-ignore
export type PlainKey =
	| "state.waiting"
	| "state.in_progress"
	| "state.unconfirmed"
	| "state.canceling"
	| "state.succeeded"
	| "state.canceled"
	| "state.failed"
	| "choice.day"
	| "choice.week"
	| "choice.month"
	| "choice.expire"
	| "choice.carryOver"
	| "choice.yes"
	| "choice.no"
	| "pingRule.ask"
	| "pingRule.always"
	| "pingRule.never"
	| "visibility.server"
	| "visibility.private"
	| "visibility.public"
	| "categoryRule.withhold"
	| "categoryRule.spoiler"
	| "categoryRule.ageRestricted"
	| "button.edit"
	| "button.delete"
	| "button.open"
	| "form.visibility"
	| "form.styleWordsLabel"
	| "usage.chartTitle"
	| "audit.empty"
	| "field.timeZone"
	| "field.unusedCredits"
	| "field.period"
	| "field.memberLimit"
	| "field.serverLimit"
	| "field.warnChannel"
	| "field.spoiler"
	| "field.private"
	| "field.pings"
	| "field.paused"
	| "field.logChannel"
	| "field.reportChannel"
	| "field.showcaseChannel"
	| "field.promptInFiles"
	| "field.improvePrompts"
	| "field.language"
	| "block.empty"
	| "filter.passed"
	| "category.sexual"
	| "category.violence"
	| "category.selfHarm"
	| "category.other"
	| "web.creditsUncertain"
	| "web.unavailable"
	| "web.operatorReadOnly"
	| "dashboard.title"
	| "dashboard.skip"
	| "dashboard.navigation"
	| "dashboard.allServers"
	| "dashboard.logOut"
	| "dashboard.logOutUnsaved"
	| "dashboard.loading"
	| "dashboard.retry"
	| "dashboard.loadMore"
	| "dashboard.noneSoFar"
	| "dashboard.close"
	| "dashboard.errorNoAnswer"
	| "dashboard.errorUnexpected"
	| "dashboard.missingTitle"
	| "dashboard.missing"
	| "dashboard.deniedTitle"
	| "dashboard.denied"
	| "dashboard.loginLead"
	| "dashboard.logIn"
	| "dashboard.logInAgain"
	| "dashboard.sessionEnded"
	| "dashboard.servers"
	| "dashboard.serversLead"
	| "dashboard.serversEmpty"
	| "dashboard.noLimit"
	| "dashboard.off"
	| "dashboard.all"
	| "dashboard.filter"
	| "dashboard.filters"
	| "dashboard.add"
	| "dashboard.addOne"
	| "dashboard.goBack"
	| "dashboard.download"
	| "dashboard.export"
	| "dashboard.import"
	| "dashboard.imported"
	| "dashboard.test"
	| "dashboard.csv"
	| "dashboard.columnCredits"
	| "dashboard.columnBalance"
	| "dashboard.results"
	| "dashboard.columnMember"
	| "dashboard.columnModel"
	| "dashboard.columnDay"
	| "dashboard.columnState"
	| "dashboard.columnTime"
	| "dashboard.columnBy"
	| "dashboard.byBot"
	| "dashboard.byOwner"
	| "dashboard.reason"
	| "dashboard.memberHint"
	| "dashboard.memberUnknown"
	| "dashboard.creditsLeft"
	| "dashboard.spentThisMonth"
	| "dashboard.forecastNone"
	| "dashboard.runningJobs"
	| "dashboard.runningEmpty"
	| "dashboard.runningMore"
	| "dashboard.latestFinishedJobs"
	| "dashboard.jobsEmpty"
	| "dashboard.jobsNone"
	| "dashboard.running"
	| "dashboard.jobPrivate"
	| "dashboard.jobPrivateBadge"
	| "dashboard.jobDeleted"
	| "dashboard.jobRefunded"
	| "dashboard.previewMissing"
	| "dashboard.previewSpoiler"
	| "dashboard.from"
	| "dashboard.until"
	| "dashboard.reportsLead"
	| "dashboard.reportAuthor"
	| "dashboard.reportChannelStale"
	| "dashboard.usageRange"
	| "dashboard.creditsSpent"
	| "dashboard.resultsMade"
	| "dashboard.chartTable"
	| "dashboard.usageEmpty"
	| "dashboard.byMember"
	| "dashboard.byModel"
	| "dashboard.tableEmpty"
	| "dashboard.limitsLead"
	| "dashboard.everyone"
	| "dashboard.everyoneLead"
	| "dashboard.limitHint"
	| "dashboard.mediaLimits"
	| "dashboard.roles"
	| "dashboard.rolesLead"
	| "dashboard.members"
	| "dashboard.membersLead"
	| "dashboard.addMember"
	| "dashboard.exceptionsEmpty"
	| "dashboard.serverLimitLead"
	| "dashboard.monthAndTime"
	| "dashboard.timeZoneHint"
	| "dashboard.timeZoneInvalid"
	| "dashboard.warnChannelHint"
	| "dashboard.channelNone"
	| "dashboard.unsaved"
	| "dashboard.save"
	| "dashboard.saved"
	| "dashboard.discard"
	| "dashboard.conflict"
	| "dashboard.changeCredits"
	| "dashboard.amount"
	| "dashboard.reasonHint"
	| "dashboard.creditsUncertainLeft"
	| "dashboard.history"
	| "dashboard.kind"
	| "dashboard.historyEmpty"
	| "dashboard.pauseLead"
	| "dashboard.pauseMessage"
	| "dashboard.pauseMessageHint"
	| "dashboard.wordFilter"
	| "dashboard.safety"
	| "dashboard.safetyLead"
	| "dashboard.wordFilterLead"
	| "dashboard.wordFilterEmpty"
	| "dashboard.addPattern"
	| "dashboard.filterTest"
	| "dashboard.blockedMembers"
	| "dashboard.blockedLead"
	| "dashboard.block"
	| "dashboard.blockDuration"
	| "dashboard.blockUntil"
	| "dashboard.blockUntilInvalid"
	| "dashboard.blockReasonHint"
	| "dashboard.unblock"
	| "dashboard.unblockText"
	| "dashboard.mediaAndModels"
	| "dashboard.mediaAndModelsLead"
	| "dashboard.channels"
	| "dashboard.confirmAbove"
	| "dashboard.confirmAboveHint"
	| "dashboard.server"
	| "dashboard.showcaseHint"
	| "dashboard.showcaseStars"
	| "dashboard.logChannelHint"
	| "dashboard.reportChannelHint"
	| "dashboard.languageServer"
	| "dashboard.channelDefaults"
	| "dashboard.channelDefaultsLead"
	| "dashboard.channelDefaultsEmpty"
	| "dashboard.channelDefaultsUnset"
	| "dashboard.defaultNone"
	| "dashboard.style"
	| "dashboard.threads"
	| "dashboard.styles"
	| "dashboard.stylesLead"
	| "dashboard.stylesEmpty"
	| "dashboard.stylePreview"
	| "dashboard.styleInvalid"
	| "dashboard.styleNew"
	| "dashboard.stylePromptExample"
	| "dashboard.myLimit"
	| "dashboard.serverCredits"
	| "dashboard.serverCreditsNote"
	| "dashboard.myJobs"
	| "dashboard.myData"
	| "dashboard.myDataLead"
	| "dashboard.deleteDataTitle"
	| "dashboard.deleteDataText"
	| "dashboard.keysLead"
	| "dashboard.keysApi"
	| "dashboard.keysHow"
	| "dashboard.keysList"
	| "dashboard.keysEmpty"
	| "dashboard.keyCreate"
	| "dashboard.name"
	| "dashboard.keyNameHint"
	| "dashboard.keyNameInvalid"
	| "dashboard.keyNew"
	| "dashboard.keyOnce"
	| "dashboard.copy"
	| "dashboard.copied"
	| "dashboard.columnKey"
	| "dashboard.columnCreated"
	| "dashboard.columnLastUsed"
	| "dashboard.columnAction"
	| "dashboard.keyUnused"
	| "dashboard.keyRevoke"
	| "dashboard.keyRevokeText"
	| "dashboard.operator"
	| "dashboard.operatorServersLead"
	| "dashboard.searchServer"
	| "dashboard.searchServerHint"
	| "dashboard.serverNamesUnknown"
	| "dashboard.serversNone"
	| "dashboard.serverUnknown"
	| "dashboard.cost"
	| "dashboard.grantCredits"
	| "dashboard.latestEntries"
	| "dashboard.healthProcess"
	| "dashboard.unknown"
	| "dashboard.auditNone"
	| "dashboard.deliveries"
	| "dashboard.engines"
	| "dashboard.columnEngine"
	| "dashboard.checks"
	| "dashboard.checksLead"
	| "dashboard.checksRun"
	| "dashboard.studioLead"
	| "dashboard.studioElsewhere"
	| "dashboard.columnAccount"
	| "dashboard.accountHint"
	| "dashboard.accountInvalid"
	| "dashboard.accountInternal"
	| "dashboard.accountsEmpty"
	| "dashboard.columnCap";
