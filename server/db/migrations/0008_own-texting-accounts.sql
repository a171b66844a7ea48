CREATE TABLE "own_number_opt_outs" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"phone" text NOT NULL,
	"is_opted_out" boolean NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "own_number_opt_outs_dojo_id_phone_pk" PRIMARY KEY("dojo_id","phone")
);
--> statement-breakpoint
ALTER TABLE "own_number_opt_outs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "texting_accounts" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"account_sid" text NOT NULL,
	"sealed_token" text NOT NULL,
	"from_number" text,
	"messaging_service_sid" text,
	"state" text NOT NULL,
	"error" text,
	"is_trial" boolean DEFAULT false NOT NULL,
	"reply_url" text,
	"checked_at" timestamp with time zone,
	"changed_by" uuid NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"share" double precision DEFAULT 1 NOT NULL,
	"slowed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "texting_accounts_dojo_id_pk" PRIMARY KEY("dojo_id")
);
--> statement-breakpoint
ALTER TABLE "texting_accounts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "account_sid" text;--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "own_number_opt_outs" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "own_number_opt_outs" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "texting_accounts" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "texting_accounts" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);