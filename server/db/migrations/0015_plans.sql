CREATE TABLE "holds" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"subscription_id" uuid,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"kind" text NOT NULL,
	"billing" text NOT NULL,
	"fee" integer DEFAULT 0 NOT NULL,
	"moves_end" boolean DEFAULT false NOT NULL,
	"ends_on_return" boolean DEFAULT false NOT NULL,
	"asked_by" uuid,
	"told_on" date,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid,
	CONSTRAINT "holds_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "holds_days" CHECK ("holds"."ends_on" >= "holds"."starts_on")
);
--> statement-breakpoint
ALTER TABLE "holds" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "plan_rules" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"billing_day" text NOT NULL,
	"first_period" text NOT NULL,
	"week_begins_on" text NOT NULL,
	"sign_up_again_after_months" smallint NOT NULL,
	"sign_up_once_per_family" boolean NOT NULL,
	"yearly_fee_gap_days" smallint NOT NULL,
	"cooling_off_days" smallint NOT NULL,
	"renewal_notice_days" smallint NOT NULL,
	"price_notice_days" smallint NOT NULL,
	"kiosk_stops_over_limit" boolean NOT NULL,
	CONSTRAINT "plan_rules_dojo_id_pk" PRIMARY KEY("dojo_id")
);
--> statement-breakpoint
ALTER TABLE "plan_rules" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "plan_versions" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"n" smallint NOT NULL,
	"price" integer NOT NULL,
	"cycle_unit" text NOT NULL,
	"cycle_count" smallint NOT NULL,
	"class_ids" uuid[],
	"minimum_months" smallint NOT NULL,
	"renews_for_months" smallint NOT NULL,
	"notice_days" smallint NOT NULL,
	"sign_up_fee" integer NOT NULL,
	"yearly_fee" integer NOT NULL,
	"yearly_fee_month" smallint,
	"early_end_fee" integer NOT NULL,
	"entry_limit" smallint,
	"entry_limit_per" text,
	"age_from" smallint,
	"age_until" smallint,
	"visits" smallint,
	"valid_days" smallint,
	"hold_billing" text NOT NULL,
	"hold_fee" integer NOT NULL,
	"terms" text,
	"terms_hash" text,
	"valid_from" date NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "plan_versions_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "plan_versions_numbered" UNIQUE("dojo_id","plan_id","n")
);
--> statement-breakpoint
ALTER TABLE "plan_versions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "plans" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"is_public" boolean NOT NULL,
	"is_add_on" boolean NOT NULL,
	"kind" text NOT NULL,
	"retired_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "plans_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "plans" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "price_announcements" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"effective_on" date NOT NULL,
	"told_on" date,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid,
	CONSTRAINT "price_announcements_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "price_announcements" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "student_packs" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"bought_on" date NOT NULL,
	"expires_on" date,
	"visits" smallint NOT NULL,
	"charge_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid,
	CONSTRAINT "student_packs_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "student_packs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "subscription_prices" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"starts_on" date NOT NULL,
	"price" integer,
	"reason" text,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid,
	CONSTRAINT "subscription_prices_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "subscription_prices_by_day" UNIQUE("dojo_id","subscription_id","starts_on")
);
--> statement-breakpoint
ALTER TABLE "subscription_prices" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"plan_id" uuid NOT NULL,
	"version_id" uuid NOT NULL,
	"is_add_on" boolean NOT NULL,
	"starts_on" date NOT NULL,
	"ends_on" date,
	"billing_day" text NOT NULL,
	"first_period" text NOT NULL,
	"sign_up_waived" boolean DEFAULT false NOT NULL,
	"fee_before" integer,
	"told_renewals" date[] DEFAULT '{}' NOT NULL,
	"cancel_asked_on" date,
	"cancelled_at" timestamp with time zone,
	"cancelled_by" text,
	"cancel_reason" text,
	"ground" text,
	"replaces" uuid,
	"closed_on" date,
	"created_at" timestamp with time zone NOT NULL,
	"created_by" uuid,
	CONSTRAINT "subscriptions_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "subscriptions_days" CHECK ("subscriptions"."ends_on" >= "subscriptions"."starts_on" - 1)
);
--> statement-breakpoint
ALTER TABLE "subscriptions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "subscription_id" uuid;--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "period_from" date;--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "period_until" date;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "has_subscription" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "students" ADD COLUMN "requested_plan_id" uuid;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "holds" ADD CONSTRAINT "holds_subscription" FOREIGN KEY ("dojo_id","subscription_id") REFERENCES "public"."subscriptions"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plan_versions" ADD CONSTRAINT "plan_versions_plan" FOREIGN KEY ("dojo_id","plan_id") REFERENCES "public"."plans"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_announcements" ADD CONSTRAINT "price_announcements_plan" FOREIGN KEY ("dojo_id","plan_id") REFERENCES "public"."plans"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_announcements" ADD CONSTRAINT "price_announcements_version" FOREIGN KEY ("dojo_id","version_id") REFERENCES "public"."plan_versions"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_packs" ADD CONSTRAINT "student_packs_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_packs" ADD CONSTRAINT "student_packs_plan" FOREIGN KEY ("dojo_id","plan_id") REFERENCES "public"."plans"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_packs" ADD CONSTRAINT "student_packs_version" FOREIGN KEY ("dojo_id","version_id") REFERENCES "public"."plan_versions"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_prices" ADD CONSTRAINT "subscription_prices_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_prices" ADD CONSTRAINT "subscription_prices_subscription" FOREIGN KEY ("dojo_id","subscription_id") REFERENCES "public"."subscriptions"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan" FOREIGN KEY ("dojo_id","plan_id") REFERENCES "public"."plans"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_version" FOREIGN KEY ("dojo_id","version_id") REFERENCES "public"."plan_versions"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "holds_of_student" ON "holds" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "price_announcements_of_plan" ON "price_announcements" USING btree ("dojo_id","plan_id");--> statement-breakpoint
CREATE INDEX "student_packs_of_student" ON "student_packs" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "subscriptions_of_student" ON "subscriptions" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "subscriptions_of_plan" ON "subscriptions" USING btree ("dojo_id","plan_id");--> statement-breakpoint
CREATE INDEX "subscriptions_open" ON "subscriptions" USING btree ("dojo_id") WHERE closed_on is null;--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_subscription" FOREIGN KEY ("dojo_id","subscription_id") REFERENCES "public"."subscriptions"("dojo_id","id") ON DELETE set null ("subscription_id") ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "charges_of_period" ON "charges" USING btree ("dojo_id","student_id","subscription_id","period_from","kind") WHERE subscription_id is not null;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "holds" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "holds" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "plan_rules" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "plan_rules" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "plan_versions" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "plan_versions" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "plans" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "plans" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "price_announcements" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "price_announcements" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "student_packs" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "student_packs" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "subscription_prices" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "subscription_prices" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "subscriptions" AS PERMISSIVE FOR ALL TO "tatami_app", "tatami_own_classes" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "subscriptions" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
-- From here on written by hand. On a day, a student has at most one plan that is no add-on.
CREATE EXTENSION IF NOT EXISTS btree_gist;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_one_plan" EXCLUDE USING gist (
  dojo_id WITH =, student_id WITH =, daterange(starts_on, ends_on + 1, '[)') WITH &&
) WHERE (NOT is_add_on);--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_plan_once" EXCLUDE USING gist (
  dojo_id WITH =, student_id WITH =, plan_id WITH =, daterange(starts_on, ends_on + 1, '[)') WITH &&
);
