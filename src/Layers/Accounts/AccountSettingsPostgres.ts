import { getMunicipalityByCode } from "@brazilian-utils/brazilian-utils"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { refused } from "../../Errors.ts"
import {
  AccountSettings,
  type EmailSettings,
  type NotificationAddress,
  outsideOf,
  Preferences,
  type StoredTaxInfo,
  type TaxInfo
} from "../../Services/Accounts/AccountSettings.ts"
import {
  confirmationMail,
  confirmNotificationAddress,
  confirmOwnAddress,
  type NotificationAddressId,
  readConfirmation
} from "../../Services/Accounts/AddressConfirmation.ts"
import { handleKeptBackDays } from "../../Services/Accounts/Handle.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { maskedTaxDocument, taxDocumentOf } from "../../Services/Accounts/TaxDocument.ts"
import { zoneOfHour } from "../../Services/Accounts/TimeZoneOffset.ts"
import { countryOfAccount } from "../../Services/Blacklist/Blacklist.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { fromMillis, now } from "../../Services/Core/Timestamp.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { mailDigest, StrangerMails } from "../../Services/Mail/StrangerMails.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { assign, columnsOf } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { Sealing } from "../Platform/Sealing.ts"
import { Settings } from "../Platform/Settings.ts"
import { isOwnConfirmed } from "./Sql.ts"

const handleTaken = (handle: string) =>
  refused("handle_taken", `The handle ${handle} is taken.`, "Choose another handle.", { parameter: "handle", handle })

const unknownMunicipality = (code: number) =>
  refused(
    "municipality_unknown",
    "There is no municipality with this code.",
    "Look the seven digits up with lookup_municipality_code.",
    { parameter: "municipality_code", municipality_code: code }
  )

const taxFields = [
  "tax_name",
  "tax_document",
  "street",
  "number",
  "neighborhood",
  "cep",
  "municipality_code",
  "financial_email"
] as const satisfies ReadonlyArray<keyof StoredTaxInfo>

const nothingStored: StoredTaxInfo = {
  tax_name: null,
  tax_document: null,
  street: null,
  number: null,
  neighborhood: null,
  cep: null,
  municipality_code: null,
  financial_email: null
}

const textIn = (stored: object, field: string): string | null => {
  const value: unknown = Reflect.get(stored, field)
  return typeof value === "string" ? value : null
}

/** Reads the decrypted tax data field by field, because an earlier version may lack some fields. */
const storedTaxInfo = (json: string): StoredTaxInfo => {
  const stored: unknown = JSON.parse(json)
  if (typeof stored !== "object" || stored === null) return nothingStored
  const code: unknown = Reflect.get(stored, "municipality_code")
  return {
    tax_name: textIn(stored, "tax_name"),
    tax_document: textIn(stored, "tax_document"),
    street: textIn(stored, "street"),
    number: textIn(stored, "number"),
    neighborhood: textIn(stored, "neighborhood"),
    cep: textIn(stored, "cep"),
    municipality_code: typeof code === "number" ? code : null,
    financial_email: textIn(stored, "financial_email")
  }
}

const municipalityOf = (code: number) => getMunicipalityByCode(String(code)) ?? undefined

const shownTaxInfo = (stored: StoredTaxInfo): TaxInfo => {
  const document = stored.tax_document === null ? Option.none() : Option.getRight(taxDocumentOf(stored.tax_document))
  const municipality = stored.municipality_code === null ? undefined : municipalityOf(stored.municipality_code)
  return {
    ...stored,
    tax_document: Option.getOrNull(Option.map(document, maskedTaxDocument)),
    municipality: municipality === undefined ? null : `${municipality.name}, ${municipality.stateCode}`
  }
}

type EmailRow = Omit<EmailSettings, "email_address" | "sender_address"> & { readonly domain_address: string | null }

const makeSettingsServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tasks = yield* TaskQueue
  const strangers = yield* StrangerMails
  const { mailDomain } = yield* Settings
  const isOutside = outsideOf(mailDomain)
  const sealing = yield* Sealing
  const emailView = sql.literal(`a.handle, a.mail_display_name as display_name,
    a.email_notification_instructions as notification_instructions, (
      select coalesce(d.email_address, a.handle || '@' || d.domain) from sender_domain d
      where d.account_id = a.account_id and d.status = 'verified' and a.plan = 'paid' order by d.kind limit 1
    ) as domain_address`)
  return { emailView, isOutside, mailDomain, sealing, sql, strangers, tasks }
})
type SettingsServices = Effect.Effect.Success<typeof makeSettingsServices>

const openedTaxInfo =
  (sealing: SettingsServices["sealing"]) =>
  (accountId: AccountId, sealed: Uint8Array | null | undefined): StoredTaxInfo =>
    sealed === undefined || sealed === null
      ? nothingStored
      : Option.match(sealing.open(sealed, `tax_info ${accountId}`), {
          onNone: () => nothingStored,
          onSome: (json) => storedTaxInfo(Redacted.value(json))
        })

const makeSettingsReads = ({ emailView, mailDomain, sealing, sql, strangers, tasks }: SettingsServices) => {
  const emailSettings = ({ domain_address, ...row }: EmailRow): EmailSettings => {
    const email_address = `${row.handle}@${mailDomain}`
    return { email_address, sender_address: domain_address ?? email_address, ...row }
  }

  const email = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<EmailRow>`select ${emailView} from account a where a.account_id = ${accountId}`
    return emailSettings(single(rows))
  }).pipe(fromSql())

  const notificationEmails = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const accounts = yield* sql<{
      readonly email: string | null
      readonly isConfirmed: boolean | null
      readonly prospectingEmail: string | null
      readonly isProspectingConfirmed: boolean | null
    }>`
      select a.email, lower(p.notification_email) as "prospectingEmail",
        ${isOwnConfirmed(sql, sql`${accountId}`, sql`lower(a.email)`)} as "isConfirmed",
        ${isOwnConfirmed(sql, sql`${accountId}`, sql`lower(p.notification_email)`)} as "isProspectingConfirmed"
      from account a join prospecting_config p on p.account_id = a.account_id where a.account_id = ${accountId}`
    const emails = yield* sql<NotificationAddress>`
      select email, confirmed_at is not null as is_confirmed from notification_address
      where account_id = ${accountId} order by position`
    const { email, isConfirmed, isProspectingConfirmed, prospectingEmail } = single(accounts)
    return {
      account_email: email,
      account_email_is_confirmed: isConfirmed === true,
      prospecting_email:
        prospectingEmail === null ? null : { email: prospectingEmail, is_confirmed: isProspectingConfirmed === true },
      emails
    }
  }).pipe(fromSql())

  /**
   * Two accounts that claim a handle at the same time wait for each other at its unique key. The later one finds the
   * handle reserved here.
   */
  const isKeptBack = (accountId: AccountId, handle: string) =>
    Effect.flatMap(now, (at) =>
      sql<{ readonly found: boolean }>`
        select exists (select from former_handle f where f.handle = ${handle} and f.account_id <> ${accountId}
          and f.kept_until > ${at}) as found`.pipe(Effect.map((rows) => single(rows).found))
    )

  const setHandle = Effect.fnUntraced(function* (handle: string) {
    const { accountId } = yield* Caller
    const before = single(
      yield* sql<{ readonly handle: string }>`
        select handle from account where account_id = ${accountId} for no key update`.pipe(fromSql())
    ).handle
    if (before === handle) return
    yield* sql`update account set handle = ${handle} where account_id = ${accountId}`.pipe(
      fromSql({ account_handle_key: () => handleTaken(handle) })
    )
    if (yield* isKeptBack(accountId, handle).pipe(fromSql())) return yield* handleTaken(handle)
    const keptUntil = fromMillis((yield* Clock.currentTimeMillis) + handleKeptBackDays * 24 * 3_600_000)
    yield* sql`delete from former_handle where handle = ${handle}`.pipe(fromSql())
    yield* sql`
      insert into former_handle (handle, account_id, kept_until) values (${before}, ${accountId}, ${keptUntil})
      on conflict (handle) do update set account_id = excluded.account_id, kept_until = excluded.kept_until`.pipe(
      fromSql()
    )
  })

  /** The account's own choice is no proof that the address expects its mail. */
  const claimEmail = (accountId: AccountId, address: string | null) =>
    sql`
      update account set email = ${address}, is_email_claimed = is_email_claimed or email is distinct from ${address}
      where account_id = ${accountId}`.pipe(fromSql())

  const confirmationText = (accountId: AccountId) =>
    Effect.map(
      sql<{ readonly name: string; readonly language: string }>`
        select name, language_key as language from account where account_id = ${accountId}`.pipe(fromSql()),
      (rows) => {
        const { language, name } = single(rows)
        const { subject, text } = confirmationMail(languageOf(language), name, "")
        return mailDigest(subject, text)
      }
    )

  /** Sends the link that confirms an address, unless its reader has confirmed it before. */
  const askToConfirm = Effect.fnUntraced(function* (address: string) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly isConfirmed: boolean }>`
      select ${isOwnConfirmed(sql, sql`${accountId}`, sql`${address}::text`)} as "isConfirmed"
      from account a where a.account_id = ${accountId}`.pipe(fromSql())
    if (single(rows).isConfirmed) return
    yield* strangers.reserve(accountId, [{ to: address, text: yield* confirmationText(accountId) }])
    yield* tasks.enqueueMany(confirmOwnAddress, [{ payload: { accountId, address } }])
  })

  const opened = openedTaxInfo(sealing)

  const taxInfo = Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly sealed: Uint8Array }>`
      select sealed from tax_info where account_id = ${accountId} for update`
    return opened(accountId, rows[0]?.sealed)
  }).pipe(fromSql())

  const legalIdentity = (accountId: AccountId) =>
    sql<{ readonly email: string | null; readonly sealed: Uint8Array | null }>`
      select a.email, t.sealed from account a left join tax_info t on t.account_id = a.account_id
      where a.account_id = ${accountId}`.pipe(
      fromSql(),
      Effect.map((rows) => {
        const { email, sealed } = single(rows)
        return { taxName: opened(accountId, sealed).tax_name, email }
      })
    )

  return { askToConfirm, claimEmail, confirmationText, email, notificationEmails, setHandle, taxInfo, legalIdentity }
}
type SettingsReads = ReturnType<typeof makeSettingsReads>

const mailSettings = (
  { isOutside, sql, strangers, tasks }: SettingsServices,
  { askToConfirm, claimEmail, confirmationText, email, notificationEmails, setHandle }: SettingsReads
): Pick<
  typeof AccountSettings.Service,
  | "email"
  | "setEmail"
  | "setNotificationInstructions"
  | "notificationEmails"
  | "setNotificationEmails"
  | "confirmAddress"
  | "askToConfirm"
  | "setPersonalEmail"
> => ({
  email: email.pipe(Effect.withSpan("AccountSettings.email")),

  setEmail: Effect.fn("AccountSettings.setEmail")(function* ({ displayName, handle }) {
    const { accountId } = yield* Caller
    if (handle !== undefined) yield* setHandle(handle)
    if (displayName !== undefined) {
      yield* sql`update account set mail_display_name = ${displayName} where account_id = ${accountId}`.pipe(fromSql())
    }
    return yield* email
  }),

  setNotificationInstructions: Effect.fn("AccountSettings.setNotificationInstructions")(function* (text) {
    const { accountId } = yield* Caller
    yield* sql`
      update account set email_notification_instructions = ${text} where account_id = ${accountId}`.pipe(fromSql())
    return yield* email
  }),

  notificationEmails: notificationEmails.pipe(Effect.withSpan("AccountSettings.notificationEmails")),

  setNotificationEmails: Effect.fn("AccountSettings.setNotificationEmails")(function* (emails) {
    const { accountId } = yield* Caller
    const at = yield* now
    yield* isOutside("emails", emails)
    // Concurrent changes of a list are serialized, so the last one is stored complete.
    yield* claimEmail(accountId, emails[0] ?? null)
    yield* sql`
      delete from notification_address where account_id = ${accountId} and email <> all(${emails}::text[])`.pipe(
      fromSql()
    )
    const added = yield* sql<{ readonly id: NotificationAddressId; readonly email: string; readonly isNew: boolean }>`
      insert into notification_address (account_id, email, position, created_at)
      select ${accountId}::bigint, e.email, e.position, ${at}::timestamptz
      from unnest(${emails}::text[]) with ordinality as e (email, position)
      on conflict (account_id, email) do update set position = excluded.position
      returning notification_address_id as id, email, xmax = 0 as "isNew"`.pipe(fromSql())
    const unconfirmed = added.filter(({ isNew }) => isNew)
    const text = yield* confirmationText(accountId)
    yield* strangers.reserve(
      accountId,
      unconfirmed.map(({ email: to }) => ({ to, text }))
    )
    yield* tasks.enqueueMany(
      confirmNotificationAddress,
      unconfirmed.map(({ id }) => ({ payload: { accountId, addressId: id } }))
    )
    return yield* notificationEmails
  }),

  confirmAddress: Effect.fn("AccountSettings.confirmAddress")(function* (token) {
    const claim = Option.getOrUndefined(readConfirmation(token))
    if (claim === undefined) return false
    const accounts = yield* sql<{
      readonly key: Uint8Array
      readonly email: string | null
      readonly prospectingEmail: string | null
    }>`
      select a.mail_key as key, lower(a.email) as email, lower(p.notification_email) as "prospectingEmail"
      from account a join prospecting_config p on p.account_id = a.account_id
      where a.account_id = ${claim.accountId}`.pipe(fromSql())
    const [account] = accounts
    if (account === undefined) return false
    const { email, key, prospectingEmail } = account
    const ownAddress = [email, prospectingEmail].find((address) => address !== null && claim.confirms(key, address))
    if (ownAddress !== undefined) {
      yield* sql`
        insert into confirmed_address (account_id, email, confirmed_at)
        values (${claim.accountId}, ${ownAddress}, ${yield* now}::timestamptz) on conflict do nothing`.pipe(fromSql())
      return true
    }
    if (!claim.holds(key)) return false
    const rows = yield* sql`
      update notification_address set confirmed_at = coalesce(confirmed_at, ${yield* now}::timestamptz)
      where account_id = ${claim.accountId} and notification_address_id = ${claim.addressId}
      returning notification_address_id`.pipe(fromSql())
    return rows.length > 0
  }),

  askToConfirm: Effect.fn("AccountSettings.askToConfirm")(function* (parameter, address) {
    yield* isOutside(parameter, [address])
    yield* askToConfirm(address)
  }),

  setPersonalEmail: Effect.fn("AccountSettings.setPersonalEmail")(function* (address) {
    const { accountId } = yield* Caller
    yield* isOutside("email", [address])
    yield* claimEmail(accountId, address)
    yield* askToConfirm(address)
    return yield* notificationEmails
  })
})

const accountDetails = (
  { sealing, sql }: SettingsServices,
  { legalIdentity, taxInfo }: SettingsReads
): Pick<
  typeof AccountSettings.Service,
  "setName" | "preferences" | "setPreferences" | "setTimeZone" | "setTaxInfo" | "legalIdentity" | "agentCallPermission"
> => ({
  legalIdentity: Effect.fn("AccountSettings.legalIdentity")(legalIdentity),

  setName: Effect.fn("AccountSettings.setName")(function* (name) {
    const { accountId } = yield* Caller
    yield* sql`update account set name = ${name} where account_id = ${accountId}`.pipe(fromSql())
    return name
  }),

  preferences: Effect.gen(function* () {
    const { accountId } = yield* Caller
    const rows = yield* sql<Preferences>`
      select language_key, show_on_website, push_notifications from account where account_id = ${accountId}`
    return single(rows)
  }).pipe(fromSql(), Effect.withSpan("AccountSettings.preferences")),

  setPreferences: Effect.fn("AccountSettings.setPreferences")(function* (changes) {
    const { accountId } = yield* Caller
    const rows = yield* sql<Preferences>`
      update account a set ${assign(sql, "a", columnsOf(Preferences), changes)} where account_id = ${accountId}
      returning language_key, show_on_website, push_notifications`.pipe(fromSql())
    return single(rows)
  }),

  setTimeZone: Effect.fn("AccountSettings.setTimeZone")(function* (currentHour) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly phone: string | null; readonly languageKey: string }>`
      select phone, language_key as "languageKey" from account where account_id = ${accountId}`.pipe(fromSql())
    const { offsetHours, zone } = zoneOfHour(
      currentHour,
      yield* Clock.currentTimeMillis,
      countryOfAccount(single(rows))
    )
    yield* sql`
      update account set time_zone = ${zone} where account_id = ${accountId}`.pipe(fromSql())
    return { timezone_offset_utc_hours: offsetHours, time_zone: zone }
  }),

  setTaxInfo: Effect.fn("AccountSettings.setTaxInfo")(function* (changes) {
    const { accountId } = yield* Caller
    const code = changes.municipality_code
    if (typeof code === "number" && municipalityOf(code) === undefined) return yield* unknownMunicipality(code)
    // The row is locked, so that two concurrent partial changes do not lose each other's part.
    yield* sql`select from account where account_id = ${accountId} for no key update`.pipe(fromSql())
    const before = yield* taxInfo
    const after: StoredTaxInfo = {
      ...before,
      ...Object.fromEntries(
        taxFields.filter((field) => changes[field] !== undefined).map((field) => [field, changes[field]])
      )
    }
    const sealed = sealing.seal(Redacted.make(JSON.stringify(after)), `tax_info ${accountId}`)
    yield* sql`
      insert into tax_info (account_id, sealed, updated_at) values (${accountId}, ${sealed}, ${yield* now})
      on conflict (account_id) do update set sealed = excluded.sealed, updated_at = excluded.updated_at`.pipe(fromSql())
    return shownTaxInfo(after)
  }),

  agentCallPermission: Effect.fn("AccountSettings.agentCallPermission")(function* (enabled) {
    const { accountId } = yield* Caller
    const rows =
      enabled === undefined
        ? yield* sql<{ readonly allowed: boolean }>`
            select agent_may_call_owner as allowed from account where account_id = ${accountId}`.pipe(fromSql())
        : yield* sql<{ readonly allowed: boolean }>`
            update account set agent_may_call_owner = ${enabled} where account_id = ${accountId}
            returning agent_may_call_owner as allowed`.pipe(fromSql())
    return single(rows).allowed
  })
})

const make = Effect.gen(function* () {
  const services = yield* makeSettingsServices
  const settingsReads = makeSettingsReads(services)

  return AccountSettings.of({
    ...mailSettings(services, settingsReads),
    ...accountDetails(services, settingsReads)
  })
})

export const AccountSettingsPostgres = Layer.effect(AccountSettings, make)
