CREATE TABLE "account_recoveries" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "account_recoveries_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"role" text NOT NULL,
	"dojo_id" uuid,
	"is_active" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "accounts_email_unique" UNIQUE("email"),
	CONSTRAINT "accounts_person" UNIQUE("dojo_id","id","email"),
	CONSTRAINT "accounts_super_admin_has_no_dojo" CHECK (("accounts"."role" = 'super-admin') = ("accounts"."dojo_id" is null))
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"account_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_addresses" (
	"account_id" uuid NOT NULL,
	"address" text NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sign_in_addresses_account_id_address_pk" PRIMARY KEY("account_id","address")
);
--> statement-breakpoint
CREATE TABLE "sign_in_failures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email_hash" text NOT NULL,
	"failed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "announcements" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"category" text NOT NULL,
	"content" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "announcements_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "announcements" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "attendance" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"class_id" uuid,
	"class_name" text,
	"class_time" text,
	"class_location" text,
	"class_date" date NOT NULL,
	"present" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "attendance_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "attendance_student_class_date" UNIQUE("dojo_id","student_id","class_id","class_date")
);
--> statement-breakpoint
ALTER TABLE "attendance" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"actor_id" uuid NOT NULL,
	"dojo_id" uuid,
	"action" text NOT NULL,
	"subject_id" uuid,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "classes" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"class_name" text NOT NULL,
	"description" text,
	"class_days" text[] DEFAULT '{}' NOT NULL,
	"class_start_time" text,
	"class_end_time" text,
	"created_at" timestamp with time zone NOT NULL,
	"class_day" text,
	"location" text,
	"class_time" text,
	"time" text,
	"day" text,
	"days" text,
	"start_time" text,
	"end_time" text,
	CONSTRAINT "classes_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "classes" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "consents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sensei_name" text NOT NULL,
	"phone_number" text NOT NULL,
	"email" text,
	"signature" text NOT NULL,
	"date" date NOT NULL,
	"wording_version" text NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "dojos" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"city" text,
	"state" text,
	"time_zone" text DEFAULT 'America/Chicago' NOT NULL,
	"invite_code" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "dojos_invite_code_unique" UNIQUE("invite_code")
);
--> statement-breakpoint
CREATE TABLE "job_runs" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"job" text NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "job_runs_dojo_id_job_day_pk" PRIMARY KEY("dojo_id","job","day")
);
--> statement-breakpoint
ALTER TABLE "job_runs" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"reply" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_dojo_id_key_pk" PRIMARY KEY("dojo_id","key")
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "notification_settings" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"sound_enabled" boolean DEFAULT true NOT NULL,
	"vibration_enabled" boolean DEFAULT true NOT NULL,
	"push_enabled" boolean DEFAULT true NOT NULL,
	CONSTRAINT "notification_settings_dojo_id_account_id_pk" PRIMARY KEY("dojo_id","account_id")
);
--> statement-breakpoint
ALTER TABLE "notification_settings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "notifications" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"title" text NOT NULL,
	"message" text NOT NULL,
	"sender_name" text,
	"student_id" uuid,
	"announcement_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone,
	CONSTRAINT "notifications_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "notifications" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "push_claims" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"notification_id" uuid NOT NULL,
	"subscription_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "push_claims_dojo_id_notification_id_subscription_id_pk" PRIMARY KEY("dojo_id","notification_id","subscription_id")
);
--> statement-breakpoint
ALTER TABLE "push_claims" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "push_subscriptions" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"session_id" text NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "push_subscriptions_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "push_subscriptions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "vapid_keys" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_records" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"payment_year" smallint NOT NULL,
	"payment_month" smallint NOT NULL,
	"payment_status" text NOT NULL,
	"amount" integer NOT NULL,
	"marked_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payment_records_dojo_id_payment_year_payment_month_student_id_pk" PRIMARY KEY("dojo_id","payment_year","payment_month","student_id")
);
--> statement-breakpoint
ALTER TABLE "payment_records" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "instructors" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"contact_number" text NOT NULL,
	"phone_number" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "instructors_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "instructors" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "sensei_directory" (
	"dojo_id" uuid NOT NULL,
	"sensei_id" uuid NOT NULL,
	"full_name" text NOT NULL,
	"dojo_name" text,
	"contact_number" text,
	"email" text NOT NULL,
	"city" text,
	"state" text,
	"total_students" integer NOT NULL,
	"is_active" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"name_key" text NOT NULL,
	"dojo_key" text NOT NULL,
	"place_key" text NOT NULL,
	"search_text" text NOT NULL,
	CONSTRAINT "sensei_directory_dojo_id_sensei_id_pk" PRIMARY KEY("dojo_id","sensei_id")
);
--> statement-breakpoint
CREATE TABLE "sensei_totals" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"total_sensei" integer DEFAULT 0 NOT NULL,
	"active_sensei" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "departures" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"month" date NOT NULL,
	CONSTRAINT "departures_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "departures" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "enrolments" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"class_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "enrolments_dojo_id_student_id_class_id_pk" PRIMARY KEY("dojo_id","student_id","class_id")
);
--> statement-breakpoint
ALTER TABLE "enrolments" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "students" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"phone_number" text,
	"belt_level" text DEFAULT 'white' NOT NULL,
	"date_of_birth" date,
	"gender" text DEFAULT 'male',
	"emergency_contact_name" text,
	"emergency_contact_phone" text,
	"class_preferences" text[] DEFAULT '{}' NOT NULL,
	"is_trial" boolean DEFAULT false NOT NULL,
	"monthly_payment_amount" integer,
	"on_vacation" boolean DEFAULT false NOT NULL,
	"app_returned" boolean,
	"payment_method" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "students_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "students" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "allowance_days" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "allowance_days_dojo_id_day_pk" PRIMARY KEY("dojo_id","day")
);
--> statement-breakpoint
ALTER TABLE "allowance_days" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "allowance_entries" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"day" date NOT NULL,
	"texts" integer NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "allowance_entries_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "allowance_entries" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "incoming_texts" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"provider_id" text NOT NULL,
	"student_id" uuid,
	"phone" text NOT NULL,
	"text" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"read_at" timestamp with time zone,
	CONSTRAINT "incoming_texts_dojo_id_id_pk" PRIMARY KEY("dojo_id","id"),
	CONSTRAINT "incoming_texts_provider_id" UNIQUE("dojo_id","provider_id")
);
--> statement-breakpoint
ALTER TABLE "incoming_texts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "message_batches" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"has_failures" boolean DEFAULT false NOT NULL,
	"failures_notified" boolean DEFAULT false NOT NULL,
	CONSTRAINT "message_batches_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "message_batches" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "message_settings" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"welcome_message_enabled" boolean DEFAULT false NOT NULL,
	"reminders_enabled" boolean DEFAULT true NOT NULL,
	CONSTRAINT "message_settings_dojo_id_pk" PRIMARY KEY("dojo_id")
);
--> statement-breakpoint
ALTER TABLE "message_settings" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "messages" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"phone" text,
	"text" text,
	"state" text NOT NULL,
	"reason" text,
	"error_code" integer,
	"due_at" timestamp with time zone,
	"claim" uuid,
	"claimed_at" timestamp with time zone,
	"unanswered" integer DEFAULT 0 NOT NULL,
	"provider_id" text,
	"sent_at" timestamp with time zone,
	"updated_at" timestamp with time zone NOT NULL,
	"allowance_day" date,
	CONSTRAINT "messages_dojo_id_id_pk" PRIMARY KEY("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "messages" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "phone_opt_outs" (
	"phone" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"simulated" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"dojo_id" uuid,
	"message_id" uuid,
	"status" text,
	"error_code" integer,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sending_rate" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"share" double precision DEFAULT 1 NOT NULL,
	"slowed_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "simulated_texts" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"id" text NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	CONSTRAINT "simulated_texts_dojo_id_message_id_pk" PRIMARY KEY("dojo_id","message_id"),
	CONSTRAINT "simulated_texts_id" UNIQUE("dojo_id","id")
);
--> statement-breakpoint
ALTER TABLE "simulated_texts" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "system_config" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"daily_message_limit" integer DEFAULT 300 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "undeliverable_phones" (
	"dojo_id" uuid DEFAULT current_setting('app.dojo_id')::uuid NOT NULL,
	"student_id" uuid NOT NULL,
	"phone" text NOT NULL,
	"error_code" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "undeliverable_phones_dojo_id_student_id_phone_pk" PRIMARY KEY("dojo_id","student_id","phone")
);
--> statement-breakpoint
ALTER TABLE "undeliverable_phones" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "account_recoveries" ADD CONSTRAINT "account_recoveries_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_dojo_id_dojos_id_fk" FOREIGN KEY ("dojo_id") REFERENCES "public"."dojos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_addresses" ADD CONSTRAINT "sign_in_addresses_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendance" ADD CONSTRAINT "attendance_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attendance" ADD CONSTRAINT "attendance_class" FOREIGN KEY ("dojo_id","class_id") REFERENCES "public"."classes"("dojo_id","id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_student_id_accounts_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_announcement" FOREIGN KEY ("dojo_id","announcement_id") REFERENCES "public"."announcements"("dojo_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_claims" ADD CONSTRAINT "push_claims_notification" FOREIGN KEY ("dojo_id","notification_id") REFERENCES "public"."notifications"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_claims" ADD CONSTRAINT "push_claims_subscription" FOREIGN KEY ("dojo_id","subscription_id") REFERENCES "public"."push_subscriptions"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_sessions_token_hash_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("token_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_records" ADD CONSTRAINT "payment_records_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "instructors" ADD CONSTRAINT "instructors_account" FOREIGN KEY ("dojo_id","id","email") REFERENCES "public"."accounts"("dojo_id","id","email") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "sensei_directory" ADD CONSTRAINT "sensei_directory_instructor" FOREIGN KEY ("dojo_id","sensei_id") REFERENCES "public"."instructors"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_student" FOREIGN KEY ("dojo_id","student_id") REFERENCES "public"."students"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrolments" ADD CONSTRAINT "enrolments_class" FOREIGN KEY ("dojo_id","class_id") REFERENCES "public"."classes"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "students" ADD CONSTRAINT "students_account" FOREIGN KEY ("dojo_id","id","email") REFERENCES "public"."accounts"("dojo_id","id","email") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "incoming_texts" ADD CONSTRAINT "incoming_texts_student_id_accounts_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_student_id_accounts_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_batch" FOREIGN KEY ("dojo_id","batch_id") REFERENCES "public"."message_batches"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "simulated_texts" ADD CONSTRAINT "simulated_texts_message" FOREIGN KEY ("dojo_id","message_id") REFERENCES "public"."messages"("dojo_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "undeliverable_phones" ADD CONSTRAINT "undeliverable_phones_student_id_accounts_id_fk" FOREIGN KEY ("student_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_recoveries_of_account" ON "account_recoveries" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "accounts_super_admins" ON "accounts" USING btree ("id") WHERE role = 'super-admin';--> statement-breakpoint
CREATE INDEX "password_resets_of_account" ON "password_resets" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sessions_of_account" ON "sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "sign_in_failures_recent" ON "sign_in_failures" USING btree ("email_hash","failed_at");--> statement-breakpoint
CREATE INDEX "attendance_newest" ON "attendance" USING btree ("dojo_id","class_date");--> statement-breakpoint
CREATE INDEX "attendance_of_class" ON "attendance" USING btree ("dojo_id","class_id","class_date");--> statement-breakpoint
CREATE INDEX "audit_log_newest" ON "audit_log" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "job_runs_of_day" ON "job_runs" USING btree ("day","job","dojo_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_oldest" ON "idempotency_keys" USING btree ("created_at","dojo_id");--> statement-breakpoint
CREATE INDEX "notification_settings_of_account" ON "notification_settings" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "notifications_newest" ON "notifications" USING btree ("dojo_id","account_id","id");--> statement-breakpoint
CREATE INDEX "notifications_of_account" ON "notifications" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "notifications_about_student" ON "notifications" USING btree ("student_id") WHERE student_id is not null;--> statement-breakpoint
CREATE INDEX "push_claims_of_subscription" ON "push_claims" USING btree ("dojo_id","subscription_id");--> statement-breakpoint
CREATE INDEX "push_claims_oldest" ON "push_claims" USING btree ("created_at","dojo_id");--> statement-breakpoint
CREATE UNIQUE INDEX "push_subscriptions_endpoint" ON "push_subscriptions" USING btree ("dojo_id","endpoint");--> statement-breakpoint
CREATE INDEX "push_subscriptions_of_account" ON "push_subscriptions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "push_subscriptions_of_session" ON "push_subscriptions" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "sensei_directory_of_sensei" ON "sensei_directory" USING btree ("sensei_id");--> statement-breakpoint
CREATE INDEX "sensei_directory_by_created" ON "sensei_directory" USING btree ("is_active","created_at","sensei_id");--> statement-breakpoint
CREATE INDEX "sensei_directory_by_name" ON "sensei_directory" USING btree ("is_active","name_key","sensei_id");--> statement-breakpoint
CREATE INDEX "sensei_directory_by_dojo" ON "sensei_directory" USING btree ("is_active","dojo_key","sensei_id");--> statement-breakpoint
CREATE INDEX "sensei_directory_by_place" ON "sensei_directory" USING btree ("is_active","place_key","sensei_id");--> statement-breakpoint
CREATE INDEX "sensei_directory_by_students" ON "sensei_directory" USING btree ("is_active","total_students","sensei_id");--> statement-breakpoint
CREATE INDEX "enrolments_of_class" ON "enrolments" USING btree ("dojo_id","class_id");--> statement-breakpoint
CREATE INDEX "students_birthdays" ON "students" USING btree ((extract(month from date_of_birth) * 100 + extract(day from date_of_birth)),"dojo_id");--> statement-breakpoint
CREATE INDEX "allowance_entries_of_day" ON "allowance_entries" USING btree ("dojo_id","day");--> statement-breakpoint
CREATE INDEX "incoming_texts_unread" ON "incoming_texts" USING btree ("dojo_id") WHERE read_at is null;--> statement-breakpoint
CREATE INDEX "incoming_texts_of_student" ON "incoming_texts" USING btree ("student_id");--> statement-breakpoint
CREATE INDEX "message_batches_with_failures" ON "message_batches" USING btree ("dojo_id","id") WHERE has_failures and not failures_notified;--> statement-breakpoint
CREATE INDEX "messages_of_batch" ON "messages" USING btree ("dojo_id","batch_id");--> statement-breakpoint
CREATE INDEX "messages_of_student" ON "messages" USING btree ("student_id");--> statement-breakpoint
CREATE INDEX "messages_due" ON "messages" USING btree ("state","dojo_id","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "messages_waiting" ON "messages" USING btree ("dojo_id","id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "messages_failed" ON "messages" USING btree ("dojo_id","batch_id") WHERE state in ('failed', 'undelivered', 'uncertain');--> statement-breakpoint
CREATE INDEX "messages_to_phone" ON "messages" USING btree ("phone","sent_at") WHERE sent_at is not null;--> statement-breakpoint
CREATE INDEX "simulated_texts_oldest" ON "simulated_texts" USING btree ("sent_at","dojo_id");--> statement-breakpoint
CREATE INDEX "undeliverable_phones_of_student" ON "undeliverable_phones" USING btree ("student_id");--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "announcements" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "announcements" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "attendance" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "attendance" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "classes" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "classes" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "job_runs" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "job_runs" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "idempotency_keys" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "idempotency_keys" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "notification_settings" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "notification_settings" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "notifications" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "notifications" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "push_claims" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "push_claims" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "push_subscriptions" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "push_subscriptions" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "payment_records" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "payment_records" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "instructors" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "instructors" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "departures" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "departures" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "enrolments" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "enrolments" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "students" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "students" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "allowance_days" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "allowance_days" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "allowance_entries" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "allowance_entries" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "incoming_texts" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "incoming_texts" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "message_batches" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "message_batches" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "message_settings" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "message_settings" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "messages" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "messages" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "simulated_texts" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "simulated_texts" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint
CREATE POLICY "dojo_isolation" ON "undeliverable_phones" AS PERMISSIVE FOR ALL TO "tatami_app" USING (dojo_id = current_setting('app.dojo_id')::uuid) WITH CHECK (dojo_id = current_setting('app.dojo_id')::uuid);--> statement-breakpoint
CREATE POLICY "overseer_reads" ON "undeliverable_phones" AS PERMISSIVE FOR SELECT TO "tatami_overseer" USING (true);--> statement-breakpoint

-- From here on written by hand: what drizzle-kit cannot express, and the rows that exist from the start.
ALTER TABLE "attendance" DROP CONSTRAINT "attendance_class";--> statement-breakpoint
ALTER TABLE "attendance" ADD CONSTRAINT "attendance_class" FOREIGN KEY ("dojo_id","class_id") REFERENCES "public"."classes"("dojo_id","id") ON DELETE set null ("class_id");--> statement-breakpoint
INSERT INTO "system_config" DEFAULT VALUES;--> statement-breakpoint
INSERT INTO "sending_rate" ("next_at") VALUES (now());--> statement-breakpoint
-- Cached responses are made of these tables (decision 11). No table that is written often may have the trigger: NOTIFY serialises commits.
CREATE FUNCTION "publish_dojo_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed_dojo text;
  published text := coalesce(current_setting('app.changed_dojos', true), '');
BEGIN
  IF TG_TABLE_NAME = 'dojos' THEN changed_dojo := coalesce(NEW.id, OLD.id); ELSE changed_dojo := coalesce(NEW.dojo_id, OLD.dojo_id); END IF;
  IF changed_dojo IS NOT NULL AND strpos(published, changed_dojo) = 0 THEN
    PERFORM pg_notify('tatami', 'dojo-changed ' || changed_dojo);
    PERFORM set_config('app.changed_dojos', ltrim(published || ' ' || changed_dojo), true);
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "accounts" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();--> statement-breakpoint
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "classes" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();--> statement-breakpoint
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "dojos" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();--> statement-breakpoint
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "enrolments" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();--> statement-breakpoint
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "incoming_texts" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();--> statement-breakpoint
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "payment_records" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();--> statement-breakpoint
CREATE TRIGGER "publish_dojo_change" AFTER INSERT OR UPDATE OR DELETE ON "students" FOR EACH ROW EXECUTE FUNCTION publish_dojo_change();--> statement-breakpoint
-- The super admin's list (sensei/tables.ts): one row for each instructor, and the totals of all of them, right in every transaction.
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE FUNCTION "fold_text"(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT lower(regexp_replace(normalize(value, NFD), '[\u0300-\u036f]', '', 'g')) $$;--> statement-breakpoint
INSERT INTO "sensei_totals" DEFAULT VALUES;--> statement-breakpoint
CREATE INDEX "sensei_directory_search" ON "sensei_directory" USING gin ("search_text" gin_trgm_ops) WITH (fastupdate = off);--> statement-breakpoint
-- Every field begins after a space, so that the beginnings of words can be searched for.
CREATE FUNCTION "fold_sensei"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.name_key := fold_text(NEW.full_name);
  NEW.dojo_key := coalesce(fold_text(NEW.dojo_name), '');
  NEW.place_key := fold_text(concat_ws(', ', NEW.city, NEW.state));
  NEW.search_text := fold_text(' ' || concat_ws(E'\n ', NEW.full_name, NEW.email, NEW.dojo_name, NEW.city, NEW.state));
  RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "fold_sensei" BEFORE INSERT OR UPDATE OF full_name, email, dojo_name, city, state ON "sensei_directory"
  FOR EACH ROW EXECUTE FUNCTION fold_sensei();--> statement-breakpoint
-- The lock lets an instructor who joins a dojo count all students that are being added or deleted meanwhile, or none of them.
CREATE FUNCTION "list_sensei"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM dojos WHERE id IN (SELECT dojo_id FROM added) ORDER BY id FOR UPDATE;
  INSERT INTO sensei_directory (sensei_id, dojo_id, full_name, dojo_name, contact_number, email, city, state, total_students, is_active, created_at)
    SELECT i.id, i.dojo_id, i.name, d.name, i.phone_number, i.email, d.city, d.state,
      (SELECT count(*) FROM students s WHERE s.dojo_id = i.dojo_id), a.is_active, i.created_at
    FROM added i JOIN accounts a ON a.id = i.id JOIN dojos d ON d.id = i.dojo_id;
  UPDATE sensei_totals SET total_sensei = total_sensei + n.total, active_sensei = active_sensei + n.active
    FROM (SELECT count(*) AS total, count(*) FILTER (WHERE a.is_active) AS active FROM added i JOIN accounts a ON a.id = i.id) n
    WHERE n.total > 0;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "list_sensei" AFTER INSERT ON "instructors" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION list_sensei();--> statement-breakpoint
CREATE FUNCTION "update_listed_sensei"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sensei_directory SET full_name = NEW.name, contact_number = NEW.phone_number, email = NEW.email
    WHERE dojo_id = NEW.dojo_id AND sensei_id = NEW.id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "update_listed_sensei" AFTER UPDATE OF name, phone_number, email ON "instructors"
  FOR EACH ROW EXECUTE FUNCTION update_listed_sensei();--> statement-breakpoint
CREATE FUNCTION "update_listed_dojo"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sensei_directory SET dojo_name = NEW.name, city = NEW.city, state = NEW.state WHERE dojo_id = NEW.id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "update_listed_dojo" AFTER UPDATE OF name, city, state ON "dojos"
  FOR EACH ROW EXECUTE FUNCTION update_listed_dojo();--> statement-breakpoint
CREATE FUNCTION "update_listed_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sensei_directory SET is_active = NEW.is_active WHERE dojo_id = NEW.dojo_id AND sensei_id = NEW.id;
  IF FOUND THEN
    UPDATE sensei_totals SET active_sensei = active_sensei + CASE WHEN NEW.is_active THEN 1 ELSE -1 END;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "update_listed_status" AFTER UPDATE OF is_active ON "accounts"
  FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION update_listed_status();--> statement-breakpoint
CREATE FUNCTION "unlist_sensei"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sensei_totals SET total_sensei = total_sensei - n.total, active_sensei = active_sensei - n.active
    FROM (SELECT count(*) AS total, count(*) FILTER (WHERE is_active) AS active FROM removed) n WHERE n.total > 0;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "unlist_sensei" AFTER DELETE ON "sensei_directory" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION unlist_sensei();--> statement-breakpoint
CREATE FUNCTION "count_listed_students"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM dojos WHERE id IN (SELECT dojo_id FROM changed) ORDER BY id FOR KEY SHARE;
  UPDATE sensei_directory l SET total_students = l.total_students + n.students * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
    FROM (SELECT dojo_id, count(*) AS students FROM changed GROUP BY dojo_id) n WHERE l.dojo_id = n.dojo_id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "count_added_students" AFTER INSERT ON "students" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_listed_students();--> statement-breakpoint
CREATE TRIGGER "count_deleted_students" AFTER DELETE ON "students" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_listed_students();
