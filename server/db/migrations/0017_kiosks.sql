CREATE TABLE "check_in_codes" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"renewed" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "check_in_codes_dojo_id_account_id_pk" PRIMARY KEY("dojo_id","account_id")
);
--> statement-breakpoint
ALTER TABLE "check_in_codes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "check_in_pins" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"pin_hash" text NOT NULL,
	"offline_key" text NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "check_in_pins_dojo_id_student_id_pk" PRIMARY KEY("dojo_id","student_id"),
	CONSTRAINT "check_in_pins_hash" UNIQUE("dojo_id","pin_hash")
);
--> statement-breakpoint
ALTER TABLE "check_in_pins" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "kiosk_check_ins" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"kiosk_id" uuid NOT NULL,
	"class_id" uuid NOT NULL,
	"class_date" date NOT NULL,
	"was_present" boolean,
	"created_at" timestamp with time zone NOT NULL,
	"undone_at" timestamp with time zone,
	CONSTRAINT "kiosk_check_ins_dojo_id_id_student_id_pk" PRIMARY KEY("dojo_id","id","student_id")
);
--> statement-breakpoint
ALTER TABLE "kiosk_check_ins" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "kiosk_settings" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"asks_pin" boolean DEFAULT false NOT NULL,
	"secret" text NOT NULL,
	CONSTRAINT "kiosk_settings_dojo_id_pk" PRIMARY KEY("dojo_id")
);
--> statement-breakpoint
ALTER TABLE "kiosk_settings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "kiosks" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"token_hash" text,
	"link_hash" text,
	"link_expires_at" timestamp with time zone,
	"created_by" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"counted_since" timestamp with time zone,
	"searches" integer DEFAULT 0 NOT NULL,
	"wrong_pins" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "kiosks_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "kiosks_token" UNIQUE("dojo_id","token_hash"),
	CONSTRAINT "kiosks_link" UNIQUE("dojo_id","link_hash")
);
--> statement-breakpoint
ALTER TABLE "kiosks" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "check_in_pins" ADD CONSTRAINT "check_in_pins_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kiosk_check_ins" ADD CONSTRAINT "kiosk_check_ins_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "kiosk_check_ins" ADD CONSTRAINT "kiosk_check_ins_kiosk" FOREIGN KEY ("dojo_id","kiosk_id") REFERENCES "public"."kiosks"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kiosk_check_ins_of_student" ON "kiosk_check_ins" USING btree ("dojo_id","student_id");--> statement-breakpoint
CREATE INDEX "kiosk_check_ins_of_kiosk" ON "kiosk_check_ins" USING btree ("dojo_id","kiosk_id");--> statement-breakpoint
CREATE INDEX "kiosk_check_ins_oldest" ON "kiosk_check_ins" USING btree ("created_at","dojo_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "check_in_codes" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "check_in_codes" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "check_in_pins" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "check_in_pins" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "kiosk_check_ins" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "kiosk_check_ins" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "kiosk_settings" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "kiosk_settings" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "kiosks" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "kiosks" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);