import { type Command, CommandDescriptor } from "@effect/cli"
import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, type Scope } from "effect"
import type { ToolError } from "../../Errors.ts"
import type { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import type { IntegrationMode } from "../../Services/Core/Outside/IntegrationModes.ts"
import type { JobHandler } from "../../Services/Jobs/JobHandler.ts"
import type { Figure } from "./Figures.ts"
import type { FileReferences } from "./FileReferences.ts"
import type { Endpoint, RequestScope } from "./Http/Endpoint.ts"
import type { HandlerRequirements, JobRequirements } from "./Jobs/Engine.ts"
import type { Recurring } from "./Jobs/Recurring.ts"
import type { TaskHandler } from "./Jobs/TaskHandler.ts"
import type { Check } from "./Operators/Check.ts"
import { printsSafely } from "./Operators/PrintedText.ts"
import type { PersonalData } from "./PersonalData.ts"
import type { Migration } from "./Postgres/Migration.ts"
import type { SettingsLoader } from "./SettingsReport.ts"

/** The mode of each outside service of a room, by the service's name. */
export interface Modes {
  readonly [service: string]: IntegrationMode
}

/**
 * The contribution of a domain to the gateway. Its layer has services only, and requires (`In`) the platform and
 * earlier rooms. The rest is built once all services exist, and may require (`Needs`) those of any room.
 */
export interface Room<in Out, out E, out In, out Needs, out CommandNeeds, in Early = never> {
  /** The room's tables, in the order in which they are created. They may refer to tables of earlier rooms. */
  readonly migrations: ReadonlyArray<Migration>
  /**
   * Services by which other rooms change the room's tables. They need only the database and are built before any room's
   * layer, so that earlier rooms can use them too.
   */
  readonly early: Layer.Layer<Early, never, SqlClient | UnitOfWork>
  readonly layer: Layer.Layer<Out, E, In>
  /** The handlers of the room's queued tasks. */
  readonly tasks: Effect.Effect<ReadonlyArray<TaskHandler<Needs>>, never, Needs>
  /** The handlers of the room's background jobs, by kind. */
  readonly jobs: ReadonlyArray<JobHandler<Needs>>
  /** Tasks that are queued at intervals. */
  readonly recurring: ReadonlyArray<Recurring>
  /** Starts loops that run as long as the gateway does. */
  readonly loops: Effect.Effect<void, never, Needs | Scope.Scope>
  /** HTTP routes in addition to those of the tools. */
  readonly endpoints: Effect.Effect<ReadonlyArray<Endpoint<RequestScope>>, never, Needs>
  /** The mode of each outside service (live or sandbox), as `whoami` and `/health/ready` report it. */
  readonly modes: Effect.Effect<Modes, never, Needs>
  /** Gauges for `/metrics`, in addition to the room's counters. */
  readonly figures: Effect.Effect<ReadonlyArray<Figure>, never, Needs>
  /** The room's commands on the command line. */
  readonly commands: ReadonlyArray<RoomCommand<CommandNeeds>>
  /** Erases a person from the room's tables. */
  readonly personalData: ReadonlyArray<PersonalData>
  /** Removes references to files that are deleted. */
  readonly fileReferences: ReadonlyArray<FileReferences>
  /** Reads and checks the room's settings, for `gateway settings`. */
  readonly settings: ReadonlyArray<SettingsLoader>
  /** The room's checks of `gateway doctor`. */
  readonly checks: ReadonlyArray<Check>
}

/** A command of the command line. It runs on the migrated database. */
export type RoomCommand<R> = CommandDescriptor.Command<{
  readonly name: string
  readonly run: Effect.Effect<void, ToolError, R>
}>

/** A command with its handler, for any options. */
export const command = <Name extends string, R, A>(
  name: Name,
  { descriptor, handler, transform }: Command.Command<Name, R, ToolError, A>
): RoomCommand<R> =>
  CommandDescriptor.map(descriptor, (options) => ({ name, run: printsSafely(transform(handler(options), options)) }))

/** The optional parts of a room. */
interface RoomParts<
  Out,
  E,
  In,
  T,
  TaskNeeds,
  J,
  LoopNeeds,
  EndpointNeeds,
  ModeNeeds,
  FigureNeeds,
  CommandNeeds,
  Early
> {
  readonly migrations?: ReadonlyArray<Migration>
  readonly early?: Layer.Layer<Early, never, SqlClient | UnitOfWork>
  readonly layer: Layer.Layer<Out, E, In>
  readonly tasks?: Effect.Effect<ReadonlyArray<T>, never, TaskNeeds>
  readonly jobs?: ReadonlyArray<J>
  readonly recurring?: ReadonlyArray<Recurring>
  readonly loops?: Effect.Effect<unknown, never, LoopNeeds | Scope.Scope>
  readonly endpoints?: Effect.Effect<ReadonlyArray<Endpoint<RequestScope>>, never, EndpointNeeds>
  readonly modes?: Effect.Effect<Modes, never, ModeNeeds>
  readonly figures?: Effect.Effect<ReadonlyArray<Figure>, never, FigureNeeds>
  readonly commands?: ReadonlyArray<RoomCommand<CommandNeeds>>
  readonly personalData?: PersonalData
  readonly fileReferences?: FileReferences
  readonly settings?: ReadonlyArray<SettingsLoader>
  readonly checks?: ReadonlyArray<Check>
}

const none = Effect.succeed([])

/** Makes a room from its parts. */
export const make = <
  Out,
  E,
  In,
  T extends TaskHandler<unknown> = never,
  TaskNeeds = never,
  J extends JobHandler<unknown> = never,
  LoopNeeds = never,
  EndpointNeeds = never,
  ModeNeeds = never,
  FigureNeeds = never,
  CommandNeeds = never,
  Early = never
>({
  checks = [],
  commands = [],
  // A room without early services has `never` here.
  early = Layer.empty as Layer.Layer<Early>,
  endpoints = none,
  figures = none,
  fileReferences,
  jobs = [],
  layer,
  loops = Effect.void,
  migrations = [],
  modes = Effect.succeed({}),
  personalData,
  recurring = [],
  settings = [],
  tasks = none
}: RoomParts<Out, E, In, T, TaskNeeds, J, LoopNeeds, EndpointNeeds, ModeNeeds, FigureNeeds, CommandNeeds, Early>): Room<
  Out,
  E,
  In,
  TaskNeeds | HandlerRequirements<T> | JobRequirements<J> | LoopNeeds | EndpointNeeds | ModeNeeds | FigureNeeds,
  CommandNeeds,
  Early
> => ({
  migrations,
  early,
  layer,
  tasks: Effect.map(tasks, (handlers) => handlers as ReadonlyArray<TaskHandler<HandlerRequirements<T>>>),
  jobs: jobs as ReadonlyArray<JobHandler<JobRequirements<J>>>,
  recurring,
  loops: Effect.asVoid(loops),
  endpoints,
  modes,
  figures,
  commands,
  personalData: personalData === undefined ? [] : [personalData],
  fileReferences: fileReferences === undefined ? [] : [fileReferences],
  settings,
  checks
})

/** Adds a room, whose layer may require the services of those before it. */
export const next =
  <Out2, E2, In2, Needs2, CommandNeeds2, Early2>(room: Room<Out2, E2, In2, Needs2, CommandNeeds2, Early2>) =>
  <Out, E, In, Needs, CommandNeeds, Early>(
    before: Room<Out, E, In, Needs, CommandNeeds, Early>
  ): Room<
    Out | Out2,
    E | E2,
    In | Exclude<In2, Out>,
    Needs | Needs2,
    CommandNeeds | CommandNeeds2,
    Early | Early2
  > => ({
    migrations: [...before.migrations, ...room.migrations],
    early: Layer.merge(before.early, room.early),
    layer: Layer.provideMerge(room.layer, before.layer),
    tasks: Effect.zipWith(before.tasks, room.tasks, (some, others) => [...some, ...others]),
    jobs: [...before.jobs, ...room.jobs],
    recurring: [...before.recurring, ...room.recurring],
    loops: Effect.zipRight(before.loops, room.loops),
    endpoints: Effect.zipWith(before.endpoints, room.endpoints, (some, others) => [...some, ...others]),
    modes: Effect.zipWith(before.modes, room.modes, (some, others) => ({ ...some, ...others })),
    figures: Effect.zipWith(before.figures, room.figures, (some, others) => [...some, ...others]),
    commands: [...before.commands, ...room.commands],
    personalData: [...before.personalData, ...room.personalData],
    fileReferences: [...before.fileReferences, ...room.fileReferences],
    settings: [...before.settings, ...room.settings],
    checks: [...before.checks, ...room.checks]
  })
